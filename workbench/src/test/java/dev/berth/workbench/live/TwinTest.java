package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.Pod;
import dev.berth.policy.text.Quantity;
import dev.berth.policy.text.StrictYaml;
import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.Node;
import dev.berth.simulator.engine.Simulation;
import dev.berth.simulator.engine.SimulationListener;
import dev.berth.simulator.oracle.PolicyCatalog;
import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioFile;
import dev.berth.simulator.usage.UsageModel;
import dev.berth.simulator.workload.DeploymentPlan;
import dev.berth.simulator.workload.DeploymentPlan.Action;
import dev.berth.simulator.workload.WorkloadGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TwinTest {
  private static final long GIB = 1L << 30;
  private static final List<DeploymentPlan> NGINX =
      List.of(new DeploymentPlan("nginx", 6, 250, 0, 64 << 20, 128 << 20, Action.ADD));

  private static Scenario demo() throws IOException {
    return ScenarioFile.read(
        Path.of(System.getProperty("berth.root"), "simulator/scenarios/demo.yaml"));
  }

  private static List<DeploymentPlan> plans(long seed) throws IOException {
    return WorkloadGenerator.deployments(demo().workload(), seed, 640_000, 2560 * GIB, 1100);
  }

  /**
   * Plays a turn in the simulator and tells the usage exporter's machines of every bind, as
   * Kubernetes would: with uids of its own.
   */
  private static final class Shadow implements SimulationListener {
    private final FakeMachines machines;
    private final UsageKeys keys;
    private final SplittableRandom uids;
    private int ticks;
    private int pods;

    Shadow(Simulation simulation, long seed, long uids) throws IOException {
      this.machines = new FakeMachines(new UsageModel(seed, demo().usage()));
      this.keys = new UsageKeys(null);
      this.uids = new SplittableRandom(uids);
      simulation.listen(this);
    }

    @Override
    public void bound(Pod pod, String node, double at) {
      String uid = Long.toHexString(uids.nextLong());
      UsageKeys.Life life = keys.bound(uid, pod.owner(), at);
      Pod live = Pod.of(life.key(), pod.owner(), pod.cpuMilli(), pod.memoryBytes());
      long limit = pod.owner().endsWith("/nginx") ? 0 : pod.cpuMilli();
      assertThat(machines.podUp(uid, live, limit, node, at, at)).isTrue();
      pods++;
    }

    @Override
    public void advanced(Cluster truth, double from, double seconds) {
      for (Node node : truth.nodes()) {
        machines.nodeUp(node.name(), node.cpuMilli(), node.memoryBytes(), node.speed(), from);
        assertThat(machines.demands(from).get(node.name()))
            .as("%s at %s", node.name(), from)
            .isCloseTo(node.demandCores(), within(1e-9));
      }
      ticks++;
    }
  }

  @Test
  void liveNodesAndThoseOfTheVirtualClockShowTheSameUsage_seed3() throws IOException {
    Scenario scenario = demo();
    Simulation simulation =
        new Simulation(scenario, 3, 99, new PolicyCatalog().find(Twin.STOCK))
            .play(Twin.events(scenario, NGINX, plans(3), 20));
    Shadow shadow = new Shadow(simulation, 3, 77);
    simulation.run();
    assertThat(shadow.ticks).isEqualTo((int) (scenario.durationSeconds() / 5));
    assertThat(shadow.pods).isGreaterThan(250);
  }

  @Test
  void theTwinOfASeedIsThatSeedsAlone() throws IOException {
    Twin.Result result = Twin.play(demo(), 3, NGINX, plans(3), Twin.STOCK);
    assertThat(result.low()).isPositive().isLessThan(result.std()); // other accidents each time
    assertThat(result.std()).isLessThan(result.high());
    assertThat(Twin.play(demo(), 3, NGINX, plans(3), Twin.STOCK)).isEqualTo(result);
    assertThat(Twin.play(demo(), 4, NGINX, plans(3), Twin.STOCK)).isNotEqualTo(result);
  }

  @Test
  void berthIsPromisedToSpreadUsageLess_seed3() throws IOException {
    double stock = Twin.play(demo(), 3, NGINX, plans(3), Twin.STOCK).std();
    Twin.Result berth = Twin.play(demo(), 3, NGINX, plans(3), Twin.BERTH);
    assertThat(berth.std()).isLessThan(stock);
    assertThat(berth.forecastErrorNow()).isBetween(0.001, 0.2);
  }

  @Test
  void theScenariosNodesAndScrapesAreThoseOfTheShippedCluster() throws IOException {
    Path file = Path.of(System.getProperty("berth.root"), "cluster/cluster.yaml");
    StrictYaml cluster = StrictYaml.parse(Files.readAllBytes(file), file.toString()).orElseThrow();
    assertThat(demo().metrics().scrapeSeconds())
        .isEqualTo(cluster.seconds("scrapeInterval", Double.NaN));
    List<StrictYaml> groups = cluster.children("nodes");
    assertThat(demo().nodes()).hasSameSizeAs(groups);
    for (int i = 0; i < groups.size(); i++) {
      StrictYaml live = groups.get(i);
      NodeGroup twin = demo().nodes().get(i);
      assertThat(twin.name()).isEqualTo(live.text("name", ""));
      assertThat(twin.count()).isEqualTo(live.whole("count", 0));
      assertThat(twin.cpuMilli()).isEqualTo(live.scalar("cpu", 0L, Quantity::milliCores));
      assertThat(twin.memoryBytes()).isEqualTo(live.scalar("memory", 0L, Quantity::bytes));
      assertThat(twin.pods()).isEqualTo(live.whole("pods", 0));
      assertThat(twin.taints().isEmpty()).isEqualTo(live.text("role", "").equals("worker"));
      List<Double> speeds = live.list("speed", Double::parseDouble);
      assertThat(twin.speeds()).isEqualTo(speeds.isEmpty() ? List.of(1.0) : speeds);
    }
  }
}
