package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.usage.UsageModel;
import dev.berth.simulator.usage.UsageParameters;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FakeMachinesTest {
  private static final long GIB = 1L << 30;

  private static FakeMachines machines() {
    return new FakeMachines(new UsageModel(7, UsageParameters.DEFAULT));
  }

  private static Pod pod(String uid) {
    return Pod.of(uid, "default/Deployment/web", 1000, 2 * GIB);
  }

  private static NodeReading read(FakeMachines machines, double now) {
    return machines.read("node-0", now).orElseThrow();
  }

  @Test
  void everyCpuSecondIsEitherBusyOrIdle() {
    FakeMachines machines = machines();
    machines.nodeUp("node-0", 4000, 8 * GIB, 1, 100);
    machines.podUp("a", pod("a"), 0, "node-0", 100, 100);
    NodeReading reading = read(machines, 160);
    assertThat(reading.busySeconds() + reading.idleSeconds()).isCloseTo(4 * 60, within(1e-6));
    assertThat(reading.busySeconds()).isGreaterThan(1);
  }

  @Test
  void countersNeverFallWhateverComesAndGoes_seed3() {
    FakeMachines machines = machines();
    machines.nodeUp("node-0", 4000, 8 * GIB, 1, 0);
    SplittableRandom random = new SplittableRandom(3);
    double now = 0;
    NodeReading before = read(machines, now);
    for (int i = 0; i < 2000; i++) {
      now += random.nextDouble(-0.2, 2); // a clock may also be set back a little
      Pod pod = pod("pod-" + random.nextInt(20));
      if (random.nextBoolean()) {
        machines.podUp(pod.uid(), pod, 2000, "node-0", now, now);
      } else {
        machines.podGone(pod.uid(), now);
      }
      NodeReading after = read(machines, now);
      assertThat(after.busySeconds()).isGreaterThanOrEqualTo(before.busySeconds());
      assertThat(after.idleSeconds()).isGreaterThanOrEqualTo(before.idleSeconds());
      assertThat(after.receivedBytes()).isGreaterThanOrEqualTo(before.receivedBytes());
      before = after;
    }
  }

  @Test
  void whatPodsAndDaemonsUseIsWhatTheNodeUses() {
    FakeMachines machines = machines();
    machines.nodeUp("node-0", 4000, 8 * GIB, 0.7, 0);
    for (int i = 0; i < 12; i++) { // more than it has: throttled
      machines.podUp("pod-" + i, pod("pod-" + i), 0, "node-0", 0, 0);
    }
    NodeReading reading = read(machines, 300);
    assertThat(reading.demandCores()).isGreaterThan(4);
    double pods = reading.pods().stream().mapToDouble(NodeReading.OfPod::cpuSeconds).sum();
    assertThat(pods).isBetween(0.9 * reading.busySeconds(), reading.busySeconds());
    assertThat(reading.pods()).allSatisfy(p -> assertThat(p.cpuSeconds()).isPositive());
  }

  @Test
  void aPodToldTwiceCountsOnceAndLeavesNothingBehind() {
    FakeMachines machines = machines();
    machines.nodeUp("node-0", 4000, 8 * GIB, 1, 0);
    double idleDemand = read(machines, 0).demandCores();
    machines.podUp("a", pod("a"), 0, "node-0", 0, 0);
    machines.podUp("a", pod("a"), 0, "node-0", 0, 1);
    assertThat(read(machines, 60).pods()).hasSize(1);
    machines.podGone("a", 61);
    machines.podGone("a", 62);
    assertThat(read(machines, 63).demandCores()).isEqualTo(idleDemand);
  }

  @Test
  void anOverloadedNodeUsesItsCapacityAndLatencyRises() {
    FakeMachines machines = machines();
    machines.nodeUp("node-0", 2000, 8 * GIB, 1, 0);
    double idleLatency = read(machines, 0).latencyMillis();
    for (int i = 0; i < 40; i++) {
      machines.podUp("pod-" + i, pod("pod-" + i), 0, "node-0", 0, 0);
    }
    NodeReading at100 = read(machines, 100);
    NodeReading at200 = read(machines, 200);
    assertThat(at200.demandCores()).isGreaterThan(2);
    assertThat(at200.busySeconds() - at100.busySeconds()).isCloseTo(2 * 100, within(1e-6));
    assertThat(at200.memoryUsedBytes()).isEqualTo(8.0 * GIB);
    assertThat(at200.latencyMillis()).isGreaterThan(10 * idleLatency);
  }

  @Test
  void aRestartedExporterGoesOnWithTheSameUsage() {
    FakeMachines first = machines();
    first.nodeUp("node-0", 4000, 8 * GIB, 1, 0);
    first.podUp("a", pod("a"), 0, "node-0", 0, 0);
    FakeMachines second = machines();
    second.nodeUp("node-0", 4000, 8 * GIB, 1, 500);
    second.podUp("a", pod("a"), 0, "node-0", 0, 500); // started long before the exporter did
    assertThat(read(second, 600).demandCores()).isEqualTo(read(first, 600).demandCores());
    assertThat(read(second, 600).busySeconds()).isLessThan(read(first, 600).busySeconds());
  }

  @Test
  void usageFollowsTheKeyAndNotTheUid() {
    FakeMachines first = machines();
    first.nodeUp("node-0", 4000, 8 * GIB, 1, 0);
    FakeMachines second = machines();
    second.nodeUp("node-0", 4000, 8 * GIB, 1, 0);
    first.podUp("a", pod("web/0"), 0, "node-0", 0, 0);
    second.podUp("b", pod("web/0"), 0, "node-0", 0, 0);
    assertThat(read(second, 600).demandCores()).isEqualTo(read(first, 600).demandCores());
    first.podUp("c", pod("web/1"), 0, "node-0", 600, 600);
    second.podUp("d", pod("web/2"), 0, "node-0", 600, 600);
    assertThat(read(second, 700).demandCores()).isNotEqualTo(read(first, 700).demandCores());
  }

  @Test
  void onAnOldNodeAPodTakesMoreCpuForTheSameWork() {
    FakeMachines machines = machines();
    machines.nodeUp("node-0", 64_000, 8 * GIB, 1, 0);
    machines.nodeUp("old-0", 64_000, 8 * GIB, 0.5, 0);
    double idle = read(machines, 0).demandCores();
    double idleOld = machines.read("old-0", 0).orElseThrow().demandCores();
    machines.podUp("a", pod("web/0"), 0, "node-0", 0, 0);
    machines.podUp("b", pod("web/0"), 0, "old-0", 0, 0);
    NodeReading old = machines.read("old-0", 600).orElseThrow();
    double pods = read(machines, 600).demandCores() - idle;
    assertThat(pods).isPositive();
    assertThat(old.demandCores() - idleOld).isCloseTo(2 * pods, within(1e-9));
    assertThat(old.connections()).isEqualTo(read(machines, 600).connections()); // the same work
    assertThat(machines.demands(600))
        .containsOnlyKeys("node-0", "old-0")
        .containsEntry("old-0", old.demandCores());
  }

  @Test
  void podsMayBeHeardOfBeforeTheirNode() {
    FakeMachines machines = machines();
    machines.podUp("a", pod("a"), 0, "node-0", 0, 0);
    assertThat(machines.nodes()).isEmpty();
    assertThat(machines.read("node-0", 5)).isEmpty();
    machines.nodeUp("node-0", 4000, 8 * GIB, 1, 10);
    assertThat(read(machines, 60).pods()).hasSize(1);
    machines.nodeGone("node-0");
    assertThat(machines.read("node-0", 70)).isEmpty();
  }
}
