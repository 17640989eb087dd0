package dev.berth.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cluster.Pod;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.OutcomeSpec;
import dev.berth.simulator.usage.Range;
import dev.berth.simulator.usage.UsageModel;
import dev.berth.simulator.usage.UsageParameters;
import dev.berth.simulator.workload.PodSpec;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OutcomeFeedTest {
  private static final long SEED = 42;

  private final ClusterState state = new ClusterState(UsageConfig.DEFAULT);
  private final Cluster truth = new Cluster(new UsageModel(SEED, UsageParameters.DEFAULT));

  private OutcomeFeed feed(double delay, double loss, double resync, double offset) {
    return new OutcomeFeed(spec(delay, loss, resync, offset, true), SEED, state);
  }

  private static OutcomeSpec spec(
      double delay, double loss, double resync, double offset, boolean reservations) {
    return new OutcomeSpec(new Range(delay, delay), loss, resync, offset, reservations);
  }

  private static Pod pod(int i) {
    return Pod.of("pod-" + i, "default/Deployment/web", 1000, 1L << 30);
  }

  @Test
  void a_report_without_delay_is_read_at_once() {
    OutcomeFeed feed = feed(0, 0, 1800, 0);
    feed.bound(pod(1), "node-0", 100);
    assertThat(state.nodeOf("pod-1")).isEqualTo("node-0");
    feed.gone(pod(1), 100);
    assertThat(state.knownPods()).isZero();
  }

  @Test
  void a_late_report_is_read_when_it_arrives_and_says_when_it_happened() {
    OutcomeFeed feed = feed(12, 0, 1800, 0);
    feed.bound(pod(1), "node-0", 100);
    feed.deliver(truth, 110);
    assertThat(state.knownPods()).isZero();
    feed.deliver(truth, 115);
    assertThat(state.knownPods()).isEqualTo(1);
    assertThat(state.bindsSince("node-0", 99.9)).isEqualTo(1);
    assertThat(state.bindsSince("node-0", 100)).as("bound at 100, not later").isZero();
  }

  @Test
  void within_a_tick_the_first_of_many_pods_are_heard_of_while_the_last_are_placed() {
    OutcomeFeed feed = feed(0.2, 0, 1800, 0);
    for (int i = 0; i < 100; i++) {
      feed.handOver(100 + 0.01 * i);
      assertThat(state.knownPods())
          .as("pods heard of before pod %d", i)
          .isBetween(Math.max(0, i - 20), Math.max(0, i - 19));
      feed.bound(pod(i), "node-0", 100);
    }
  }

  @Test
  void a_question_names_the_reservations_whose_reports_are_underway() {
    OutcomeFeed feed = feed(20, 0, 1800, 0);
    for (int i = 0; i < 100; i++) {
      feed.asked(100 + 0.01 * i);
      assertThat(state.knownPods()).as("before pod %d", i).isEqualTo(i);
      feed.bound(pod(i), "node-0", 100);
    }
    feed.gone(pod(0), 101);
    feed.asked(102);
    assertThat(state.knownPods()).as("an end comes by its report alone").isEqualTo(100);
    feed.deliver(truth, 125);
    feed.asked(125);
    assertThat(state.knownPods()).as("a report says it once more, and no more").isEqualTo(99);
    var silent = new OutcomeFeed(spec(20, 0, 1800, 0, false), SEED, state);
    silent.bound(pod(200), "node-0", 130);
    silent.asked(131);
    assertThat(state.knownPods()).as("one that names none").isEqualTo(99);
  }

  @Test
  void the_schedulers_clock_stamps_it() {
    feed(0, 0, 1800, 7).bound(pod(1), "node-0", 100);
    feed(0, 0, 1800, -7).bound(pod(2), "node-1", 100);
    assertThat(state.bindsSince("node-0", 106.9)).isEqualTo(1);
    assertThat(state.bindsSince("node-0", 107)).isZero();
    assertThat(state.bindsSince("node-1", 92.9)).isEqualTo(1);
    assertThat(state.bindsSince("node-1", 93)).isZero();
  }

  @Test
  void reports_arrive_in_order_whatever_their_delays_seed_42() {
    var feed = new OutcomeFeed(new OutcomeSpec(new Range(0, 60), 0, 1800, 0, true), SEED, state);
    for (int i = 0; i < 200; i++) {
      feed.bound(pod(i), "node-0", i);
      feed.gone(pod(i), i + 0.5);
    }
    for (double t = 200; t <= 270; t += 5) {
      feed.deliver(truth, t);
      assertThat(state.knownPods()).as("an end before its bind would leave a pod").isBetween(0, 1);
    }
    assertThat(state.knownPods()).isZero();
  }

  @Test
  void a_full_list_names_who_was_not_heard_of_and_ends_who_does_not_run_seed_42() {
    truth.add(NodeGroup.of("node", 1, 640_000, 1L << 40), 0);
    Node node = truth.node("node-0");
    OutcomeFeed feed = feed(0, 0.5, 300, 0);
    Set<String> running = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      truth.bind(PodSpec.of(pod(i)), node, 10);
      feed.bound(pod(i), "node-0", 10);
    }
    int heard = state.knownPods();
    assertThat(heard).as("half of the binds").isBetween(35, 65);
    for (RunningPod p : truth.podsOf(null)) {
      if (p.serial() % 2 == 0) {
        truth.remove(p);
        feed.gone(p.spec().pod(), 20);
      } else {
        running.add(p.spec().pod().uid());
      }
    }
    assertThat(state.knownPods())
        .as("a quarter of the ends was heard of, and concerned a known pod")
        .isBetween(heard - 40, heard - 10);
    feed.deliver(truth, 295);
    assertThat(running).as("not yet").anyMatch(uid -> state.nodeOf(uid) == null);
    feed.deliver(truth, 300);
    assertThat(state.knownPods()).isEqualTo(running.size());
    assertThat(running).allMatch(uid -> "node-0".equals(state.nodeOf(uid)));
    assertThat(state.bindsSince("node-0", 10)).as("old pods are no burst of new ones").isZero();
  }
}
