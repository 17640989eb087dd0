package dev.berth.workbench.live;

import dev.berth.simulator.experiment.FolderLock;
import dev.berth.workbench.console.Progress;
import dev.berth.workbench.live.LocalCluster.Status;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The demo as a person sees it: a bar, a table, and where to look next. */
public final class DemoRunner {
  /** What a folder has in it that {@code berth-cluster} made. */
  private static final String MADE = ".berth-cluster";

  private DemoRunner() {}

  /**
   * @return exit code: 0 when the demo showed what it is to show
   * @throws IllegalStateException when another demo is at work on the cluster
   */
  public static int run(LocalCluster cluster, Demo.Options options, PrintWriter out)
      throws IOException, InterruptedException {
    List<String> failures;
    try (Closeable alone = alone(cluster)) {
      Thread stopped = new Thread(() -> stopped(out), "stopped");
      Runtime.getRuntime().addShutdownHook(stopped);
      try {
        failures = play(cluster, options, out);
      } finally {
        withdraw(stopped);
      }
    }
    out.print(whereToLook(cluster.status()));
    for (String failure : failures) {
      out.println("FAILED: " + failure);
    }
    out.flush();
    return failures.isEmpty() ? 0 : 1;
  }

  /**
   * Plays the demo, prints its table, and writes its files, the summary last. For who has the
   * cluster {@link #alone}.
   *
   * @return what it did not show, one sentence each
   */
  public static List<String> play(LocalCluster cluster, Demo.Options options, PrintWriter out)
      throws IOException, InterruptedException {
    out.println("starting the cluster");
    out.flush();
    cluster.run("up");
    DemoResult result;
    try (Progress bar = Progress.of("demo", 1)) {
      result = new Demo(cluster, options, new BarProgress(bar)).run();
    }
    Path picture = options.folder().resolve("spread.png");
    result.draw(picture);
    Path summary = options.folder().resolve("summary.json");
    result.write(summary);
    out.println();
    out.print(result.table());
    out.println();
    out.println("summary: " + summary);
    out.println("picture: " + picture);
    out.flush();
    return result.failures();
  }

  private static void withdraw(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      Thread.currentThread().interrupt(); // Ctrl-C: it runs already, and we end
    }
  }

  /** Ctrl-C: what is half done runs on. */
  private static void stopped(PrintWriter out) {
    out.println();
    out.println(
        "not finished; the cluster and its pods run on: `bin/berth clean` empties it, `make down`"
            + " stops it, `make demo` begins anew");
    out.flush();
  }

  /**
   * Takes the cluster until what is returned is closed: a second demo would empty it under the
   * first one.
   *
   * @throws IllegalStateException when another demo is at work on it
   */
  public static Closeable alone(LocalCluster cluster) throws IOException, InterruptedException {
    Status status = cluster.status();
    if (!Files.exists(status.folder().resolve(MADE))) {
      cluster.run("up"); // which wants to find the folder empty
    }
    return FolderLock.take(
        status.folder().resolve("demo.lock"),
        "another demo is at work on the cluster of %s: wait for it".formatted(status.folder()));
  }

  private static String whereToLook(Status status) {
    String service = status.component("service").url();
    return String.join(
            System.lineSeparator(),
            "still running; `make down` stops it:",
            "  service     " + service + "  (" + status.component("service").log() + ")",
            "  Prometheus  " + status.component("prometheus").url(),
            "  scheduler   " + status.component("kube-scheduler").url() + "/metrics  (curl -k)",
            "  kubectl     export KUBECONFIG=" + status.kubeconfig(),
            "  a score     curl '" + service + "/score?cpu=500m&memory=128Mi'",
            "  the nodes   bin/berth top")
        + System.lineSeparator();
  }

  private record BarProgress(Progress bar) implements Demo.Progress {
    @Override
    public void total(long steps) {
      bar.total(steps);
    }

    @Override
    public void step(long steps, String doing) {
      bar.doing(doing).stepTo(steps);
    }
  }
}
