package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.service.experiment.ExperimentFiles;
import dev.berth.service.experiment.Plan;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** An experiment beside a running service: who serves, and what it says was measured. */
interface LiveExperiment extends Operator {

  @Test
  @Order(8)
  default void anExperimentsArmDecidesUntilTheExperimentIsStopped() throws Exception {
    String started =
        ab("start", "--a", "least-allocated", "--b", "most-allocated", "--slot", "1h").out();
    assertThat(ab("status").out()).isEqualTo(started);
    assertThat(ab("report").out())
        .startsWith(started)
        .contains("spread of CPU usage  nothing is measured yet");
    Matcher arm = Pattern.compile("[AB] \\(([-a-z]+)\\) serves until").matcher(started);
    assertThat(arm.find()).as(started).isTrue();
    newPodsAreDecidedBy(arm.group(1));
    assertThat(ab("stop").out()).contains("what is configured serves");
    newPodsAreDecidedBy("dqn");
  }

  /**
   * {@code ab start} wants slots of a minute or more: too long for a test, so it writes the plan.
   */
  @Test
  @Order(9)
  default void theReportOfAnExperimentSaysWhatPrometheusMeasuredMeanwhile() throws Exception {
    Path state = plane().folder().resolve("service");
    double start = System.currentTimeMillis() / 1000.0;
    new ExperimentFiles(state).plan(new Plan("base", "least-allocated", 3, 1, 1, start, null));
    Pattern spread = Pattern.compile("spread of CPU usage +A (0\\.\\d+); B is not judged yet");
    Matcher[] line = new Matcher[1];
    Operator.await("a pair of slots", () -> (line[0] = spread.matcher(ab("report").out())).find());
    assertThat(ab("status").out())
        .contains("base (A) against least-allocated (B), slots of 3s", "1 pairs measured");
    DoubleSummaryStatistics measured =
        Arrays.stream(
                new NodeUsage(plane().url("prometheus"), "3s")
                    .curve(".+", System.currentTimeMillis() / 1000, 10, 1))
            .filter(Double::isFinite)
            .summaryStatistics();
    assertThat(Double.parseDouble(line[0].group(1)))
        .isBetween(0.7 * measured.getMin(), 1.3 * measured.getMax());
    assertThat(ab("stop").out()).contains("what is configured serves");
  }
}
