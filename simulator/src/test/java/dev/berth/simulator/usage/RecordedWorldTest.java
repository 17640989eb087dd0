package dev.berth.simulator.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.Pod;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordedWorldTest {
  private static final double HOUR = 3600;
  private static final int DAY = 288;

  /** Two pods of one owner, a day each: the first 0.1 to 0.3 cores, the second twice that. */
  private static History day() {
    return new History.Builder()
        .add(new Series("shop", "a", 0, 300, saw(0.1f, 1), saw(1 << 28, 1)))
        .add(new Series("shop", "b", 0, 300, saw(0.1f, 2), saw(1 << 28, 2)))
        .build("day");
  }

  /** Steps of 1, 2, 3, 1, 2, 3, … times {@code unit x times}. */
  private static float[] saw(float unit, float times) {
    float[] out = new float[DAY];
    for (int i = 0; i < DAY; i++) {
      out[i] = unit * times * (1 + i % 3);
    }
    return out;
  }

  private static UsageModel model(long seed, History history, RequestRule rule, double span) {
    var recorded = new Recorded(history, rule, span);
    UsageParameters some = UsageParameters.DEFAULT;
    return new UsageModel(seed, some.withRecorded(recorded));
  }

  private static RecordedWorld world(UsageModel model) {
    RecordedWorld world = model.recorded();
    assertThat(world).isNotNull();
    return world;
  }

  @ParameterizedTest
  @CsvSource({"P90_OWNER, 600, 600", "P90_POD, 300, 600"})
  void pods_ask_for_the_percentile_of_their_rule(RequestRule rule, long least, long most) {
    RecordedWorld world = world(model(1, day(), rule, 24 * HOUR));
    RecordedWorld.Pod a = world.pod("default/Deployment/shop", 0);
    RecordedWorld.Pod b = world.pod("default/Deployment/shop", 1);
    assertThat(Math.min(a.cpuMilli(), b.cpuMilli())).isEqualTo(least);
    assertThat(Math.max(a.cpuMilli(), b.cpuMilli())).isEqualTo(most);
    assertThat(Math.max(a.memoryBytes(), b.memoryBytes())).isEqualTo(6L << 28);
  }

  @Test
  void by_the_mean_an_owner_asks_for_its_usage_over_a_drawn_ratio_seed_1() {
    UsageModel model = model(1, day(), RequestRule.MEAN, 24 * HOUR);
    double ratio = model.owner("shop").cpuRatio();
    long asked = world(model).pod("shop", 0).cpuMilli();
    assertThat(asked).isBetween(Math.round(300 / ratio), Math.round(300 / ratio) + 10);
    assertThat(world(model).pod("shop", 1).cpuMilli()).isEqualTo(asked);
  }

  @Test
  void a_pod_uses_what_was_recorded_whatever_it_asks_for() {
    UsageModel model = model(1, day(), RequestRule.P90_POD, 24 * HOUR);
    RecordedWorld.Pod played = world(model).pod("shop", 0);
    Pod pod = Pod.of("default/Deployment/shop/0", "default/Deployment/shop", played.cpuMilli(), 1);
    PodDemand demand = model.start(pod, 0, 0);
    double unit = played.cpuMilli() / 3000.0;
    for (int i = 0; i < DAY; i++) {
      double middle = 300 * i + 150;
      assertThat(demand.cpuCores(middle)).isCloseTo(unit * (1 + i % 3), within(1e-6));
    }
    assertThat(demand.cpuCores(300))
        .as("a line from step to step")
        .isCloseTo(1.5 * unit, within(1e-6));
    assertThat(demand.cpuCores(24 * HOUR + 150)).as("and again").isEqualTo(demand.cpuCores(150));

    Pod twice =
        Pod.of("default/Deployment/shop/0", "default/Deployment/shop", 2 * played.cpuMilli(), 1);
    assertThat(model.start(twice, 0, 0).cpuCores(150))
        .as("who asks for twice as much on a real cluster does twice as much")
        .isEqualTo(2 * demand.cpuCores(150));
  }

  @Test
  void memory_is_played_back_as_well() {
    UsageModel model = model(1, day(), RequestRule.P90_POD, 24 * HOUR);
    RecordedWorld.Pod played = world(model).pod("shop", 0);
    Pod pod =
        Pod.of("default/Deployment/shop/0", "default/Deployment/shop", 100, played.memoryBytes());
    PodDemand demand = model.start(pod, 0, 0);
    double third = played.memoryBytes() / 3.0;
    assertThat(demand.memoryBytes(150)).isCloseTo(third, within(1.0));
    assertThat(demand.memoryBytes(750)).isCloseTo(3 * third, within(1.0));
    PodDemand other = model.start(Pod.of(pod.uid(), pod.owner(), 100, 12 << 20), 0, 0);
    assertThat(other.memoryBytes(150))
        .as("a pod of another size holds its owner's drawn share")
        .isEqualTo(other.memoryBytes(750))
        .isCloseTo((12 << 20) * model.owner(pod.owner()).memoryRatio(), within(1.0));
  }

  @Test
  void a_recorder_that_knew_nothing_of_memory_counts_as_none() {
    History history =
        new History.Builder()
            .add(new Series("a", "1", 0, 300, rising(), new float[DAY]))
            .build("no memory");
    RecordedWorld.Pod played = world(model(1, history, RequestRule.P90_POD, 24 * HOUR)).pod("a", 0);
    assertThat(played.memoryBytes()).isZero();
    assertThat(played.memory()).isNull();
  }

  @Test
  void a_controllers_new_pod_goes_on_where_the_old_one_was() {
    UsageModel model = model(1, day(), RequestRule.P90_POD, 24 * HOUR);
    Pod old = Pod.of("default/Deployment/shop/1", "default/Deployment/shop", 300, 1);
    Pod again = Pod.of("default/Deployment/shop/1-evicted-moved", old.owner(), 300, 1);
    assertThat(model.start(again, 0, 0).load()).isSameAs(model.start(old, 0, 0).load());
  }

  @Test
  void the_seed_draws_the_hour_and_all_pods_play_the_same_one_seeds_1_to_20() {
    History history =
        new History.Builder()
            .add(new Series("a", "1", 0, 300, rising(), new float[0]))
            .add(new Series("b", "1", 0, 300, rising(), new float[0]))
            .build("rising");
    Set<Double> begins = new HashSet<>();
    for (long seed = 1; seed <= 20; seed++) {
      RecordedWorld world = world(model(seed, history, RequestRule.P90_POD, 6 * HOUR));
      double begin = world.pod("a", 0).cpu().at(150);
      assertThat(world.pod("b", 0).cpu().at(150)).isEqualTo(begin);
      double end = world.pod("a", 0).cpu().at(6 * HOUR - 150);
      assertThat(end).isGreaterThan(begin);
      begins.add(begin);
    }
    assertThat(begins).hasSizeGreaterThan(10);
  }

  private static float[] rising() {
    float[] out = new float[DAY];
    for (int i = 0; i < DAY; i++) {
      out[i] = 1 + i;
    }
    return out;
  }

  @Test
  void pods_that_are_not_recorded_all_the_time_do_not_play() {
    History history =
        new History.Builder()
            .add(new Series("whole", "1", 0, 300, rising(), new float[0]))
            .add(
                new Series(
                    "half", "1", 0, 300, java.util.Arrays.copyOf(rising(), 100), new float[0]))
            .build("two");
    assertThat(world(model(1, history, RequestRule.MEAN, 24 * HOUR)).owners())
        .containsExactly("whole");
    assertThatThrownBy(() -> model(1, history, RequestRule.MEAN, 25 * HOUR))
        .hasMessage(
            "two: no series is as long as the run: 25.0 h are to be played, the longest has 24.0 h;"
                + " set duration to less");
  }

  @Test
  void what_can_be_known_of_the_future_fades_from_the_present_to_the_mean() {
    Load load = world(model(1, day(), RequestRule.P90_POD, 24 * HOUR)).pod("shop", 0).cpu();
    double now = 750; // the highest of three steps
    assertThat(load.expected(now, now)).isEqualTo(load.at(now));
    double third = load.expected(now, now + 900); // the saw comes round
    assertThat(third).isBetween(0.97 * load.at(now), load.at(now));
    assertThat(load.expected(now, now + 300)).isCloseTo(load.mean(), within(1e-6));
  }

  @Test
  void an_owner_as_a_whole_is_the_sum_of_its_pods_over_what_they_ask_for() {
    UsageModel model = model(1, day(), RequestRule.P90_OWNER, 24 * HOUR);
    Pod pod = Pod.of("default/Deployment/shop/0", "default/Deployment/shop", 600, 1);
    assertThat(model.start(pod, 0, 0).ownerLoad().at(150)).isCloseTo(0.3 / 1.2, within(1e-6));
  }

  @Test
  void whom_nobody_recorded_is_given_a_recorded_owner_and_keeps_it() {
    UsageModel model = model(1, day(), RequestRule.P90_OWNER, 24 * HOUR);
    Pod live =
        Pod.of(
            "berth-demo/Deployment/amber-anchor/0", "berth-demo/Deployment/amber-anchor", 600, 1);
    assertThat(model.start(live, 0, 0).cpuCores(150))
        .isEqualTo(model.start(live, 0, 0).cpuCores(150))
        .satisfiesAnyOf(
            used -> assertThat(used).isCloseTo(0.1, within(1e-6)),
            used -> assertThat(used).isCloseTo(0.2, within(1e-6)));
  }

  @Test
  void an_aggregate_stands_for_any_number_of_pods() {
    History history =
        new History.Builder()
            .add(new Series("job", Series.AGGREGATE, 0, 300, rising(), new float[0]))
            .build("job");
    RecordedWorld world = world(model(1, history, RequestRule.MEAN, 24 * HOUR));
    assertThat(world.pods("job")).isEqualTo(Integer.MAX_VALUE);
    assertThat(world.pod("job", 7)).isSameAs(world.pod("job", 0));
    assertThat(world(model(1, day(), RequestRule.MEAN, 24 * HOUR)).pods("shop")).isEqualTo(2);
  }
}
