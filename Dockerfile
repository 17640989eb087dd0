# check=experimental=all;error=true
# Two images from one file:
#   docker build --target scheduler -t localhost/berth-scheduler:0.1.0 .
#   docker build --target service   -t localhost/berth-service:0.1.0 .

# scheduler-build compiles kube-scheduler with the plugin inside.
FROM golang:1.26-bookworm AS scheduler-build
ENV CGO_ENABLED=0 GOTOOLCHAIN=local GOFLAGS="-trimpath -buildvcs=false"
WORKDIR /src
COPY scheduler-plugin-go/go.mod scheduler-plugin-go/go.sum ./
RUN go mod download
COPY scheduler-plugin-go/ ./
ARG VERSION=v1.36.3
RUN go build -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=${VERSION}" -o /out/kube-scheduler ./cmd/berth-scheduler

# scheduler is one static file: no shell, no package, no root.
FROM scratch AS scheduler
COPY --from=scheduler-build /out/kube-scheduler /usr/local/bin/kube-scheduler
# kubeadm's static pod starts `kube-scheduler` by name.
ENV PATH=/usr/local/bin
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/kube-scheduler"]

# service-build makes berth.jar and takes libtorch out of its jars.
FROM maven:3.9-eclipse-temurin-17 AS service-build
WORKDIR /src
COPY .mvn .mvn
COPY pom.xml ./
COPY policy policy
COPY simulator simulator
COPY service service
COPY workbench/pom.xml workbench/
RUN mvn -B -q -DskipTests -Dspotless.check.skip=true -pl service -am package \
    && service/image/unpack-libtorch service/target/lib /opt/libtorch

# service is Debian and not Alpine because libtorch needs glibc.
FROM debian:12-slim AS service
RUN apt-get update \
    && apt-get install -y --no-install-recommends openjdk-17-jre-headless \
    && rm -rf /var/lib/apt/lists/*
COPY --from=service-build /opt/libtorch /opt/libtorch
COPY bin/berth /opt/berth/bin/berth
COPY --from=service-build /src/service/target/lib /opt/berth/service/target/lib
COPY --from=service-build /src/service/target/berth.jar /opt/berth/service/target/berth.jar
COPY simulator/scenarios /opt/berth/simulator/scenarios
# The flavour must be named: DJL's default on Linux is an ABI that PyTorch no longer ships.
ENV PATH=/opt/berth/bin:/usr/local/bin:/usr/bin:/bin \
    PYTORCH_LIBRARY_PATH=/opt/libtorch PYTORCH_VERSION=2.7.1 PYTORCH_FLAVOR=cpu
# Everything that is written goes here or to /tmp; the root file system may be read-only.
WORKDIR /var/lib/berth
RUN chown 65532:65532 /var/lib/berth
VOLUME ["/var/lib/berth"]
USER 65532:65532
EXPOSE 8765 8766
ENTRYPOINT ["/opt/berth/bin/berth"]
CMD ["serve"]
