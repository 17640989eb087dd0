package dev.berth.workbench.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.k3s.K3sContainer;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * The manifests and both images on a real cluster in a container. Runs where a container engine and
 * the images are; elsewhere {@code make check-deploy} proves what can be proved without.
 */
class SecondSchedulerOnK3sTest {
  private static final Path ROOT = Path.of(System.getProperty("berth.root", ".."));
  private static final List<String> IMAGES =
      List.of("localhost/berth-scheduler:0.1.0", "localhost/berth-service:0.1.0");
  private static final DockerImageName K3S = DockerImageName.parse("rancher/k3s:v1.36.1-k3s1");

  @BeforeAll
  static void needsAnEngineAndTheImages() throws Exception {
    // Its own report of a missing engine is 20 lines of ERROR; ours is one line.
    ((Logger) LoggerFactory.getLogger("org.testcontainers")).setLevel(Level.OFF);
    skipUnless(
        DockerClientFactory.instance().isDockerAvailable(),
        "no container engine here: the manifests were not tried on k3s");
    for (String image : IMAGES) {
      skipUnless(
          new ProcessBuilder("docker", "image", "inspect", image)
                  .redirectErrorStream(true)
                  .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                  .start()
                  .waitFor()
              == 0,
          "no image " + image + ": build it with the docker build lines of the Dockerfile");
    }
  }

  private static void skipUnless(boolean condition, String why) {
    if (!condition) {
      System.out.println("SKIPPED SecondSchedulerOnK3sTest: " + why);
    }
    assumeTrue(condition, why);
  }

  @Test
  void nginxIsPlacedByBerthOnK3s(@TempDir Path folder) throws Exception {
    Path archive = folder.resolve("images.tar");
    Process save =
        new ProcessBuilder("docker", "save", "-o", archive.toString(), IMAGES.get(0), IMAGES.get(1))
            .inheritIO()
            .start();
    assertThat(save.waitFor()).as("docker save").isZero();

    try (K3sContainer cluster = new K3sContainer(K3S)) {
      cluster.withCopyFileToContainer(
          MountableFile.forHostPath(ROOT.resolve("manifests")), "/manifests");
      cluster.withStartupTimeout(Duration.ofMinutes(3));
      cluster.start();
      cluster.copyFileToContainer(MountableFile.forHostPath(archive), "/images.tar");
      run(cluster, "ctr", "--namespace", "k8s.io", "images", "import", "/images.tar");

      kubectl(cluster, "apply", "-k", "/manifests/overlays/second-scheduler");
      kubectl(
          cluster,
          "-n",
          "berth-system",
          "create",
          "secret",
          "generic",
          "berth-token",
          "--from-literal=token=only-for-this-test-0123456789abcdef");
      kubectl(
          cluster,
          "-n",
          "berth-system",
          "rollout",
          "status",
          "statefulset/berth-service",
          "--timeout=180s");
      kubectl(
          cluster,
          "-n",
          "berth-system",
          "rollout",
          "status",
          "deployment/berth-scheduler",
          "--timeout=180s");

      String nginx =
          Files.readString(ROOT.resolve("manifests/nginx-deployment.yaml"))
              .replace(
                  "    spec:\n      automount",
                  "    spec:\n      schedulerName: berth-scheduler\n      automount");
      assertThat(nginx).contains("schedulerName: berth-scheduler");
      Path file = Files.writeString(folder.resolve("nginx.yaml"), nginx);
      cluster.copyFileToContainer(MountableFile.forHostPath(file), "/nginx.yaml");
      kubectl(cluster, "apply", "-f", "/nginx.yaml");
      kubectl(cluster, "rollout", "status", "deployment/nginx", "--timeout=180s");

      String deciders =
          kubectl(
              cluster,
              "get",
              "events",
              "--field-selector",
              "reason=Scheduled",
              "-o",
              "jsonpath={range .items[*]}{.reportingComponent}{\"\\n\"}{end}");
      assertThat(deciders.lines()).hasSizeGreaterThanOrEqualTo(6).containsOnly("berth-scheduler");
    }
  }

  private static String kubectl(K3sContainer cluster, String... arguments)
      throws IOException, InterruptedException {
    String[] command = new String[arguments.length + 1];
    command[0] = "kubectl";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    return run(cluster, command);
  }

  private static String run(K3sContainer cluster, String... command)
      throws IOException, InterruptedException {
    ExecResult result = cluster.execInContainer(command);
    assertThat(result.getExitCode())
        .as("%s%n%s%s", String.join(" ", command), result.getStdout(), result.getStderr())
        .isZero();
    return result.getStdout();
  }
}
