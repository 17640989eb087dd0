package dev.berth.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.simulator.workload.Arrivals.Batch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecordedArrivalsTest {
  private static final double HOUR = 3600;
  private static final double RUN = 4 * HOUR;
  private static final long GIB = 1L << 30;
  private static final double CAPACITY = 40_000;

  /** Two days, half a core every 15 s, each pod for an hour: 120 cores at all times. */
  private static Arrivals steady() {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 2 * 24 * 240; i++) {
      batches.add(new Batch(15 * i, "app-" + i % 50, 500, GIB, new float[] {3600}));
    }
    return new Arrivals("steady", batches);
  }

  private static List<WorkloadEvent.Submit> events(Arrivals arrivals, long seed, double load) {
    return new RecordedArrivals(arrivals, seed, RUN)
        .events(load, CAPACITY, 8000, 32 * GIB).stream()
            .map(WorkloadEvent.Submit.class::cast)
            .toList();
  }

  private static double requested(List<WorkloadEvent.Submit> events, double t) {
    double milli = 0;
    for (WorkloadEvent.Submit submit : events) {
      for (PodSpec pod : submit.pods()) {
        if (submit.at() <= t && t < submit.at() + pod.lifetimeSeconds()) {
          milli += pod.pod().cpuMilli();
        }
      }
    }
    return milli / CAPACITY;
  }

  @Test
  void so_many_batches_stay_that_the_load_is_met_from_the_first_minutes_on_seed_1() {
    List<WorkloadEvent.Submit> events = events(steady(), 1, 0.6);
    double sum = 0;
    for (int i = 0; i < 200; i++) {
      sum += requested(events, RUN * (i + 0.5) / 200) / 200;
    }
    assertThat(sum).isCloseTo(0.6, within(0.1));
    assertThat(requested(events, 700)).as("who lived before is there").isGreaterThan(0.4);
    assertThat(events).isSortedAccordingTo((a, b) -> Double.compare(a.at(), b.at()));
  }

  @Test
  void who_lived_before_has_the_rest_of_a_life_and_every_pod_its_own_name_seed_1() {
    Set<String> uids = new HashSet<>();
    List<Double> early = new ArrayList<>();
    for (WorkloadEvent.Submit submit : events(steady(), 1, 0.6)) {
      for (PodSpec pod : submit.pods()) {
        assertThat(uids.add(pod.pod().uid())).isTrue();
        assertThat(pod.lifetimeSeconds()).isBetween(30.0, HOUR);
        if (submit.at() > 600) {
          assertThat(pod.lifetimeSeconds()).isEqualTo(HOUR);
        } else {
          early.add(pod.lifetimeSeconds());
        }
      }
    }
    // An hour's pods were there before, ten minutes' are new; of an hour any part may be left.
    double[] rests = early.stream().filter(life -> life < HOUR).mapToDouble(x -> x).toArray();
    assertThat(rests).hasSizeGreaterThan(early.size() * 3 / 4);
    assertThat(Arrays.stream(rests).average()).hasValueCloseTo(HOUR / 2, within(HOUR / 10));
  }

  @Test
  void the_seed_draws_the_stretch_and_who_is_left_out() {
    assertThat(events(steady(), 1, 0.6)).isEqualTo(events(steady(), 1, 0.6));
    assertThat(events(steady(), 2, 0.6)).isNotEqualTo(events(steady(), 1, 0.6));
  }

  @Test
  void pods_that_no_node_can_hold_are_left_out() {
    List<Batch> batches = new ArrayList<>(steady().batches());
    batches.replaceAll(
        b -> b.owner().equals("app-7") ? new Batch(b.at(), b.owner(), 9000, GIB, b.lives()) : b);
    assertThat(events(new Arrivals("some large", batches), 1, 0.6))
        .flatExtracting(WorkloadEvent.Submit::pods)
        .isNotEmpty()
        .noneMatch(pod -> pod.pod().cpuMilli() > 8000);
  }

  @Test
  void too_few_arrivals_and_too_long_a_run_are_said_before_it() {
    assertThatThrownBy(
            () -> new RecordedArrivals(steady(), 1, RUN).events(0.8, 1e6, 8000, 32 * GIB))
        .hasMessageContaining("steady: all that arrives asks for")
        .hasMessageContaining("below the load of 80 %: use fewer or smaller nodes");
    assertThatThrownBy(
            () -> new RecordedArrivals(steady(), 1, 50 * HOUR).events(0.8, 1e3, 8000, GIB))
        .hasMessage("steady: the arrivals span 48.0 h, the run 50.0 h: set duration to less");
  }
}
