# check=experimental=all;error=true
# Three images from one file:
#   docker build --target scheduler -t localhost/berth-scheduler:0.1.0 .
#   docker build --target service   -t localhost/berth-service:0.1.0 .
#   docker build --target workbench -t localhost/berth-workbench:0.1.0 .   (for sweeps alone: docs/sweeps.md)

# scheduler-build compiles kube-scheduler with the plugin inside.
FROM golang:1.26-bookworm AS scheduler-build
ENV CGO_ENABLED=0 GOTOOLCHAIN=local GOFLAGS="-trimpath -buildvcs=false"
WORKDIR /src
COPY scheduler-plugin-go/ ./
ARG VERSION=v1.36.3
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    go build -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=${VERSION}" -o /out/kube-scheduler ./cmd/berth-scheduler

# scheduler is one static file: no shell, no package, no root.
FROM scratch AS scheduler
COPY --from=scheduler-build /out/kube-scheduler /usr/local/bin/kube-scheduler
# kubeadm's static pod starts `kube-scheduler` by name.
ENV PATH=/usr/local/bin
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/kube-scheduler"]

# java-build makes what the Java images hold (service/image).
FROM maven:3.9-eclipse-temurin-17 AS java-build
RUN apt-get update \
    && apt-get install -y --no-install-recommends binutils \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY .mvn .mvn
COPY service/image/runtime service/image/
RUN service/image/runtime /opt/java
COPY pom.xml ./
COPY policy policy
COPY simulator simulator
COPY service service
COPY workbench/pom.xml workbench/
RUN --mount=type=cache,target=/root/.m2 \
    mvn -B -q -Pimage -pl service/image -am -Dmaven.test.skip=true -Dspotless.check.skip=true package \
    && strip --strip-unneeded service/image/target/native/*

# base is what bash and java need of Debian (glibc, not musl), and the list of it for vulnerability scanners.
FROM debian:12-slim AS base
WORKDIR /packages
RUN apt-get update \
    && apt-get download base-files bash libc6 libgcc-s1 libstdc++6 libtinfo6 zlib1g \
    && mkdir -p /base/var/lib/dpkg/status.d /base/var/lib/berth \
    && for p in *.deb; do dpkg -x "$p" /base && dpkg-deb -f "$p" > "/base/var/lib/dpkg/status.d/${p%%_*}"; done \
    && rm -rf /base/usr/share/doc /base/usr/share/man /base/usr/share/locale /base/usr/lib/x86_64-linux-gnu/gconv \
    && echo 'berth:x:65532:65532::/var/lib/berth:' > /base/etc/passwd \
    && echo 'berth:x:65532:' > /base/etc/group \
    && echo 'hosts: files dns' > /base/etc/nsswitch.conf \
    && chown 65532:65532 /base/var/lib/berth

# Classes mapped from a file instead of read from jars: the service listens after three quarters of the time.

# class-archive starts the service once, for the classes that it has loaded when it listens.
FROM scratch AS class-archive
COPY --from=base /base /
COPY --from=java-build /opt/java /opt/java
COPY --from=java-build /src/service/image/target/native /opt/berth/native
COPY --from=java-build /src/service/image/target/lib /opt/berth/lib
COPY service/image/berth /opt/berth/bin/berth
ENV PATH=/opt/java/bin:/usr/bin:/bin JAVA_OPTS="-Djava.io.tmpdir=/var/lib/berth -XX:ArchiveClassesAtExit=/opt/berth/classes.jsa"
WORKDIR /var/lib/berth
RUN ["/opt/berth/bin/berth", "serve", "--check"]

FROM scratch AS service
COPY --from=base /base /
COPY --from=java-build /opt/java /opt/java
COPY --from=class-archive /opt/berth /opt/berth
ENV PATH=/opt/berth/bin:/opt/java/bin:/usr/bin:/bin LANG=C.UTF-8
# Everything that is written goes here or to /tmp; the root file system may be read-only, and neither need be executable.
WORKDIR /var/lib/berth
VOLUME ["/var/lib/berth"]
USER 65532:65532
EXPOSE 8765 8766
ENTRYPOINT ["/opt/berth/bin/berth"]
CMD ["serve"]

# workbench-build adds what simulates, trains and sweeps.
FROM java-build AS workbench-build
COPY workbench workbench
RUN --mount=type=cache,target=/root/.m2 \
    mvn -B -q -pl workbench -am -DskipTests -Dspotless.check.skip=true package

# workbench is for sweeps on a cluster; it serves nothing.
FROM debian:12-slim AS workbench
RUN apt-get update \
    && apt-get install -y --no-install-recommends openjdk-17-jre-headless \
    && rm -rf /var/lib/apt/lists/*
COPY --from=workbench-build /src/workbench/target/lib /opt/berth/workbench/target/lib
COPY --from=workbench-build /src/workbench/target/berth-workbench.jar /opt/berth/workbench/target/berth-workbench.jar
COPY simulator/scenarios /opt/berth/simulator/scenarios
COPY bin/berth /opt/berth/bin/berth
ENV PATH=/opt/berth/bin:/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8
USER 65532:65532
ENTRYPOINT ["/opt/berth/bin/berth"]
