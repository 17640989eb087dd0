package dev.berth.simulator.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.berth.policy.cluster.Pod;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NatureTest {
  private static final int OWNERS = 400;
  private static final double HOUR = 3600;

  /** Counts, not properties of load: nobody is wrong or right by sharing them. */
  private static final Set<Double> PLAIN = Set.of(0.0, 1.0, 2.0, 3.0);

  private final Nature calm =
      new Nature(
          0,
          Double.POSITIVE_INFINITY,
          new Range(1, 1),
          new Range(7000, 7000),
          0,
          0,
          new Range(0, 0));

  private static UsageModel model(long seed, Nature nature) {
    return new UsageModel(seed, UsageParameters.DEFAULT.withNature(nature));
  }

  private static PodDemand pod(UsageModel model, int i, String owner) {
    return model.start(Pod.of("pod-" + i, owner, 1000, 2L << 30), 0, 0);
  }

  private static Load load(UsageModel model, String owner) {
    return pod(model, 0, owner).load();
  }

  @Test
  void no_constant_of_the_generator_is_one_of_the_predictors() throws ReflectiveOperationException {
    Map<Double, String> predictor =
        constants(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(
                    "dev.berth.policy.usage",
                    "dev.berth.policy.ledger",
                    "dev.berth.policy.predict",
                    "dev.berth.policy.state"));
    Map<Double, String> generator =
        constants(
            new ClassFileImporter()
                .importClasses(Nature.class, RestlessLoad.class, RestlessWorld.class));
    assertThat(predictor).hasSizeGreaterThan(15);
    assertThat(generator).hasSizeGreaterThan(25);
    generator.forEach(
        (value, name) ->
            assertThat(predictor)
                .as("%s is %s, as the predictor's", name, value)
                .doesNotContainKey(value));
  }

  /** Every number of the static fields: scalars, arrays, ranges and the records of those. */
  private static Map<Double, String> constants(Iterable<JavaClass> classes)
      throws ReflectiveOperationException {
    Map<Double, String> out = new TreeMap<>();
    for (JavaClass type : classes) {
      for (JavaField field : type.getFields()) {
        if (field.getModifiers().contains(JavaModifier.STATIC)) {
          Field reflected = field.reflect();
          reflected.setAccessible(true);
          for (double value : numbers(reflected.get(null))) {
            if (!PLAIN.contains(value)) {
              out.put(value, field.getFullName());
            }
          }
        }
      }
    }
    return out;
  }

  private static List<Double> numbers(Object value) throws ReflectiveOperationException {
    List<Double> out = new ArrayList<>();
    if (value instanceof Number number) {
      out.add(number.doubleValue());
    } else if (value instanceof double[] many) {
      for (double one : many) {
        out.add(one);
      }
    } else if (value instanceof Range || value instanceof Nature) {
      for (var part : value.getClass().getRecordComponents()) {
        out.addAll(numbers(part.getAccessor().invoke(value)));
      }
    }
    return out;
  }

  @Test
  void replicas_are_alike_or_not_by_owner_seed_5() {
    for (double unlike : new double[] {0, 1}) {
      UsageModel model =
          model(
              5,
              new Nature(
                  unlike,
                  Double.POSITIVE_INFINITY,
                  new Range(1, 1),
                  new Range(7000, 7000),
                  0,
                  0,
                  new Range(0, 0)));
      for (int o = 0; o < 20; o++) {
        String owner = "owner-" + o;
        double[] size =
            IntStream.range(0, 400)
                .mapToDouble(i -> Math.log(pod(model, i, owner).typicalCores()))
                .toArray();
        double mean = IntStream.range(0, 400).mapToDouble(i -> size[i]).average().orElseThrow();
        double spread =
            Math.sqrt(
                IntStream.range(0, 400)
                    .mapToDouble(i -> Math.pow(size[i] - mean, 2))
                    .average()
                    .orElseThrow());
        assertThat(spread).isBetween(unlike == 0 ? 0.015 : 0.33, unlike == 0 ? 0.13 : 0.95);
      }
    }
  }

  @Test
  void without_any_of_it_an_owner_is_its_day_alone_seed_5() {
    UsageModel model = model(5, calm);
    Load load = load(model, "web");
    assertThat(load.at(500)).isCloseTo(load.at(7500), within(1e-9));
    assertThat(load.expected(500, 4000)).isCloseTo(load.at(4000), within(1e-9));
    double sum = IntStream.range(0, 7000).mapToDouble(load::at).sum();
    assertThat(sum / 7000).isCloseTo(load.mean(), within(1e-3));
  }

  @Test
  void a_release_moves_the_level_and_it_stays_until_the_next_seed_5() {
    Nature nature =
        new Nature(0, 2 * HOUR, new Range(1, 1), new Range(7000, 7000), 0, 0, new Range(0, 0));
    int steps = 0;
    for (int o = 0; o < 20; o++) {
      Load moved = load(model(5, nature), "owner-" + o);
      Load still = load(model(5, calm), "owner-" + o);
      double before = moved.at(0) / still.at(0);
      for (double t = 60; t < 40 * HOUR; t += 60) {
        double level = moved.at(t) / still.at(t);
        if (Math.abs(level - before) > 1e-9) {
          steps++;
          before = level;
        }
      }
    }
    assertThat(steps / 20.0).as("one every two hours or so").isBetween(17.0, 25.0);
  }

  @Test
  void weekends_are_quieter_two_days_of_seven_seed_5() {
    Nature nature =
        new Nature(
            0,
            Double.POSITIVE_INFINITY,
            new Range(0.5, 0.5),
            new Range(7000, 7000),
            0,
            0,
            new Range(0, 0));
    Load week = load(model(5, nature), "web");
    Load plain = load(model(5, calm), "web");
    long quiet =
        IntStream.range(0, 70 * 70)
            .filter(i -> week.at(100 * i) < 0.75 * plain.at(100 * i))
            .count();
    assertThat(quiet / 4900.0).isCloseTo(2 / 7.0, within(0.03));
  }

  @Test
  void the_length_of_the_day_is_the_seeds_and_nobody_is_told() {
    double first = new RestlessWorld(1, Nature.DEFAULT).daySeconds();
    double second = new RestlessWorld(2, Nature.DEFAULT).daySeconds();
    assertThat(first).isNotEqualTo(second).isBetween(4000.0, 11_000.0);
    assertThat(UsageParameters.DEFAULT.withNature(Nature.DEFAULT).daySeconds()).isNotEqualTo(first);
  }

  @Test
  void owners_move_together_by_what_they_have_in_common_seed_5() {
    assertThat(correlation(0.5)).isGreaterThan(0.3);
    assertThat(correlation(0)).isZero();
  }

  /** Mean correlation of two owners' deviations from their calm selves. */
  private double correlation(double common) {
    Nature nature =
        new Nature(
            0,
            Double.POSITIVE_INFINITY,
            new Range(1, 1),
            new Range(7000, 7000),
            common,
            0,
            new Range(0, 0));
    UsageModel model = model(5, nature);
    double products = 0;
    double squares = 0;
    for (int o = 0; o < 40; o += 2) {
      Load a = load(model, "owner-" + o);
      Load b = load(model, "owner-" + (o + 1));
      Load calmA = load(model(5, calm), "owner-" + o);
      Load calmB = load(model(5, calm), "owner-" + (o + 1));
      for (double t = 0; t < 100 * HOUR; t += 600) {
        double x = Math.log(a.at(t) / calmA.at(t));
        double y = Math.log(b.at(t) / calmB.at(t));
        products += x * y;
        squares += (x * x + y * y) / 2;
      }
    }
    return squares < 1e-12 ? 0 : products / squares;
  }

  @Test
  void bursts_are_mostly_short_and_low_and_sometimes_neither_seed_5() {
    Nature nature =
        new Nature(
            0,
            Double.POSITIVE_INFINITY,
            new Range(1, 1),
            new Range(7000, 7000),
            0,
            1,
            new Range(0, 0));
    List<Double> heights = new ArrayList<>();
    List<Integer> lengths = new ArrayList<>();
    for (int o = 0; o < OWNERS / 4; o++) {
      Load bursting = load(model(5, nature), "owner-" + o);
      Load still = load(model(5, calm), "owner-" + o);
      int length = 0;
      for (int t = 0; t < 50_000; t += 5) {
        double height = bursting.at(t) / still.at(t);
        if (height > 1.01) {
          length += 5;
          heights.add(height);
        } else if (length > 0) {
          lengths.add(length);
          length = 0;
        }
      }
    }
    lengths.sort(null);
    heights.sort(null);
    assertThat(lengths.get(lengths.size() / 2)).isLessThan(60);
    assertThat(lengths.get(lengths.size() - 1)).isGreaterThan(600);
    assertThat(heights.get(heights.size() / 2)).isLessThan(2.5);
    assertThat(heights.get(heights.size() - 1)).isGreaterThan(6);
  }

  @Test
  void memory_follows_load_seed_5() {
    Nature following =
        new Nature(
            0,
            Double.POSITIVE_INFINITY,
            new Range(1, 1),
            new Range(7000, 7000),
            0,
            0,
            new Range(1, 1));
    PodDemand follows = pod(model(5, following), 1, "web");
    assertThat(follows.memoryBytes(2000) / follows.memoryBytes(5000))
        .isCloseTo(follows.load().at(2000) / follows.load().at(5000), within(1e-9));
  }

  @Test
  void the_same_seed_and_key_give_the_same_truth_in_any_order_of_asking() {
    Load a = load(model(9, Nature.DEFAULT), "web");
    double late = a.at(50_000);
    double early = a.at(10);
    Load b = load(model(9, Nature.DEFAULT), "web");
    assertThat(b.at(10)).isEqualTo(early);
    assertThat(b.at(50_000)).isEqualTo(late);
    assertThat(load(model(10, Nature.DEFAULT), "web").at(10)).isNotEqualTo(early);
  }
}
