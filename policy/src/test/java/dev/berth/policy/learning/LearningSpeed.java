package dev.berth.policy.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.OperatingSystemMXBean;
import dev.berth.policy.text.StrictJson;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/**
 * How fast our DQN steps and learns, in time of CPU, beside CleanRL's, and whether its memory stays
 * what it is. No test of the build: {@code make bench-learning-speed} runs it and names the rival's
 * Python ({@code berth.rival}) and the folder for the figures ({@code berth.out}).
 */
final class LearningSpeed {
  /** Mean of CleanRL's schedule: 1 to 0.05 over half of the run, 0.05 over the rest. */
  private static final double EPSILON = 0.2875;

  /** Of the JDK's own kind, which knows the CPU time of the process. */
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private static final double LEARNING_RATE = 2.5e-4;
  private static final int TURNS = 5;
  private static final int LOOKS = 10;
  private static final double GROWTH_MIB = 16;

  @Test
  void stepsAndUpdatesASecondBesideCleanRls() throws IOException {
    String python = System.getProperty("berth.rival", "");
    assumeThat(python).as("Python with PyTorch").isNotEmpty();
    String script =
        Path.of(System.getProperty("berth.root", ".."), "workbench/rivals/cleanrl_dqn.py")
            .toString();
    CartPoleDqn agent = filled();
    Map<String, Object> figures = new LinkedHashMap<>();
    System.out.println(
        "| | ours | CleanRL's | ratio | without its vector of environments | ratio |");
    System.out.println("|---|---:|---:|---:|---:|---:|");
    try (Rival cleanRl = new Rival(List.of(python, script));
        Rival lean = new Rival(List.of(python, script, "--single-env"))) {
      compare("steps", 5_000, n -> rate(n, i -> step(agent, i)), cleanRl, lean, figures);
      compare("updates", 1_000, n -> rate(n, i -> agent.update()), cleanRl, lean, figures);
    }
    double load = SYSTEM.getSystemLoadAverage();
    System.out.printf(
        Locale.ROOT, "| median of %d turns each, load average %.1f | | | | | |%n", TURNS, load);
    figures.put("load_average", load);
    write("learning.json", figures);
  }

  /** By turns and in time of CPU, so that what else the machine does meets all alike. */
  private static void compare(
      String what,
      int times,
      ToDoubleFunction<Integer> ours,
      Rival cleanRl,
      Rival lean,
      Map<String, Object> figures) {
    ours.applyAsDouble(3 * times); // compiles
    double[][] rates = new double[3][TURNS];
    for (int turn = 0; turn < TURNS; turn++) {
      rates[0][turn] = ours.applyAsDouble(times);
      rates[1][turn] = cleanRl.rate(what, times);
      rates[2][turn] = lean.rate(what, times);
    }
    double[] m = Arrays.stream(rates).mapToDouble(LearningSpeed::median).toArray();
    System.out.printf(
        Locale.ROOT,
        "| %s a second of CPU | %.0f | %.0f | %.1f | %.0f | %.1f |%n",
        what,
        m[0],
        m[1],
        m[0] / m[1],
        m[2],
        m[0] / m[2]);
    figures.put(what + "_per_second", Map.of("ours", m[0], "cleanrl", m[1], "cleanrl_lean", m[2]));
    figures.put("ratio_" + what, m[0] / m[1]);
    figures.put("ratio_" + what + "_lean", m[0] / m[2]);
  }

  @Test
  void residentMemoryStaysWhatItIs() throws IOException {
    int updates = Integer.getInteger("berth.updates", 1_000_000);
    CartPoleDqn agent = filled();
    double[] resident = new double[LOOKS];
    for (int look = 0; look < LOOKS; look++) {
      for (int i = 0; i < updates / LOOKS; i++) {
        agent.play(EPSILON);
        agent.update();
        if (i % CartPoleDqn.TARGET_EVERY == 0) {
          agent.updateTarget();
        }
      }
      // An update leaves sixty bytes, too few for a collection to come: they would count as growth.
      System.gc();
      resident[look] = residentMib();
      int done = (look + 1) * (updates / LOOKS);
      System.out.printf(Locale.ROOT, "| %d updates | %.0f MiB resident |%n", done, resident[look]);
    }
    write("learning-memory.json", Map.of("updates", updates, "resident_mib", resident));
    double early = Arrays.stream(resident, 0, LOOKS / 2).max().orElse(0);
    double late = Arrays.stream(resident, LOOKS / 2, LOOKS).max().orElse(0);
    assertThat(late - early).as("MiB grown over the second half").isLessThan(GROWTH_MIB);
  }

  private static CartPoleDqn filled() {
    CartPoleDqn agent = new CartPoleDqn(1, LEARNING_RATE);
    for (int i = 0; i < CartPoleDqn.BUFFER; i++) {
      agent.play(1);
    }
    return agent;
  }

  private static void step(CartPoleDqn agent, int i) {
    agent.play(EPSILON);
    if (i % CartPoleDqn.TRAIN_EVERY == 0) {
      agent.update();
    }
    if (i % CartPoleDqn.TARGET_EVERY == 0) {
      agent.updateTarget();
    }
  }

  /** Times a second of CPU, compiling and collecting garbage included. */
  private static double rate(int times, IntConsumer act) {
    long start = SYSTEM.getProcessCpuTime();
    for (int i = 0; i < times; i++) {
      act.accept(i);
    }
    return times * 1e9 / (SYSTEM.getProcessCpuTime() - start);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static double residentMib() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
        .findFirst()
        .orElseThrow();
  }

  private static void write(String name, Object figures) throws IOException {
    Path folder = Path.of(System.getProperty("berth.out", "target"));
    Files.createDirectories(folder);
    Files.write(folder.resolve(name), StrictJson.readable(figures));
  }
}
