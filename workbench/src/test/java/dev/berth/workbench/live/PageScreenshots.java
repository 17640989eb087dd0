package dev.berth.workbench.live;

import dev.berth.service.page.Browser;
import dev.berth.service.page.LargeCluster;
import dev.berth.simulator.workload.DeploymentPlan;
import dev.berth.simulator.workload.DeploymentPlan.Action;
import dev.berth.workbench.live.Workload.Options;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Makes the page's pictures by {@code make screenshots}; no test, so not run with them. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class PageScreenshots {
  private static final String SETTINGS =
      """
      state: set-by-option
      portBase: 23700
      scrapeInterval: 2s
      startTimeout: 180s
      usageExporter: true
      usageSeed: 3
      zones: 3
      racksPerZone: 2
      nodes:
        - {name: node, role: worker, count: 24, cpu: "32", memory: 128Gi, pods: 110, speed: [1, 1, 0.7]}
        - {name: control, role: control-plane, count: 1, cpu: "4", memory: 8Gi, pods: 110}
      """;
  private static final String[] SERVICES = {
    "cart", "search", "checkout", "login", "images", "mail", "prices", "stock", "orders", "reports"
  };
  private static final int[] WIDTHS = {1440, 375};
  private static final int[] HEIGHTS = {1240, 1500};

  private final Path pictures =
      Path.of(Objects.requireNonNull(System.getProperty("berth.screenshots")));

  @Test
  void ofARealClusterThatPodsCameToForAWhile(@TempDir Path folder, @TempDir Path profile)
      throws Exception {
    Path root = Path.of(System.getProperty("berth.root"));
    LocalCluster cluster =
        new LocalCluster(
            root.resolve(".build/bin/berth-cluster"),
            List.of(
                "--root", root.toString(),
                "--settings", Files.writeString(folder.resolve("c.yaml"), SETTINGS).toString(),
                "--state", folder.resolve("state").toString(),
                "--port-base", String.valueOf(TestControlPlane.freePorts())));
    try (Browser browser = Browser.start(profile)) {
      cluster.quietly("up");
      cluster.quietly("start", "service");
      cluster.quietly("restart-scheduler", "--with", "berth");
      LocalCluster.Status status = cluster.status();
      browser.screen(WIDTHS[0], HEIGHTS[0], "light");
      browser.open(status.component("service").url() + "/");
      try (KubernetesClient client = Kube.connect(status.kubeconfig())) {
        Options options =
            new Options(
                Options.NAMESPACE,
                "default-scheduler",
                Duration.ofMillis(900),
                Duration.ofMinutes(2));
        new Workload(client, options, (bound, total, name) -> {}).run(plans());
      }
      browser.await("document.querySelectorAll('#forecast tbody tr').length >= 2");
      browser.await("document.getElementById('learning').textContent.includes('held-out')");
      browser.find("#find").sendKeys("node-7");
      browser.await("!document.getElementById('node').hidden");
      browser.js("document.activeElement.blur(); window.scrollTo(0, 0)");
      for (int i = 0; i < WIDTHS.length; i++) {
        for (String scheme : List.of("light", "dark")) {
          browser.screen(WIDTHS[i], HEIGHTS[i], scheme);
          browser.await("window.innerWidth === " + WIDTHS[i]);
          settle();
          picture(browser, "page-" + WIDTHS[i] + "-" + scheme);
        }
      }
      browser.find("#decisions li:nth-child(3) button").click();
      browser.await("document.querySelector('#why[open] table')");
      picture(browser, "page-why-375-dark");
      browser.screen(WIDTHS[0], 800, "light");
      settle();
      picture(browser, "page-why-1440-light");
    } finally {
      cluster.quietly("down", "--delete");
    }
  }

  @Test
  void ofFiveThousandNodes(@TempDir Path folder, @TempDir Path profile) throws Exception {
    try (LargeCluster cluster = new LargeCluster(folder);
        Browser browser = Browser.start(profile)) {
      browser.screen(WIDTHS[0], 1000, "dark");
      browser.open(cluster.url());
      browser.await("document.getElementById('canvas').dataset.tiles === '5000'");
      settle();
      browser.screenshot(pictures.resolve("page-5000.png"), "section.wide");
    }
  }

  /** A service in ten copies of itself, of all sizes, as real clusters have them. */
  private static List<DeploymentPlan> plans() {
    Random random = new Random(3);
    List<DeploymentPlan> plans = new ArrayList<>();
    for (int i = 0; i < 140; i++) {
      String name = SERVICES[i % SERVICES.length] + "-" + (char) ('a' + i / SERVICES.length);
      int cpu = new int[] {250, 500, 1000, 2000, 3500}[random.nextInt(5)];
      long memory = (long) (1 + random.nextInt(4)) << 30;
      plans.add(
          new DeploymentPlan(name, 1 + random.nextInt(3), cpu, cpu, memory, memory, Action.ADD));
    }
    return plans;
  }

  /** What was just laid out anew is drawn in the next frames. */
  private static void settle() throws InterruptedException {
    TimeUnit.SECONDS.sleep(1);
  }

  private void picture(Browser browser, String name) throws Exception {
    browser.screenshot(pictures.resolve(name + ".png"));
  }
}
