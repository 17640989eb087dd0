package dev.berth.simulator.scenario;

import static dev.berth.simulator.scenario.Ranges.numbers;

import dev.berth.policy.text.StrictYaml;
import dev.berth.policy.text.Units;
import dev.berth.simulator.usage.Lifetime;
import dev.berth.simulator.usage.MemoryLeak;
import dev.berth.simulator.usage.Nature;
import dev.berth.simulator.usage.Recorded;
import dev.berth.simulator.usage.RequestRule;
import dev.berth.simulator.usage.StartUp;
import dev.berth.simulator.usage.UsageParameters;
import dev.berth.simulator.usage.UsageParameters.Phases;
import dev.berth.simulator.workload.WorkloadSpec.Kind;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The keys of what pods do: {@code usage} and {@code lifetime}. */
final class UsageKeys {
  private static final double DAY_SECONDS = 86_400;

  private UsageKeys() {}

  static UsageParameters usage(@Nullable StrictYaml y, Lifetime lifetime) {
    UsageParameters d = UsageParameters.DEFAULT;
    if (y == null) {
      return d.withLifetime(lifetime);
    }
    var ratio = numbers(y, "ratio", d.cpuRatio());
    var memoryRatio = numbers(y, "memory_ratio", d.memoryRatio());
    MemoryLeak leak = leak(y.child("memory_leak"));
    var amplitude = numbers(y, "amplitude", d.amplitude());
    Phases phases = y.choice("phases", Phases.class, d.phases());
    double day =
        y.seconds("day", y.has("history") || y.has("nature") ? DAY_SECONDS : d.daySeconds());
    double burstShare = y.share("burst_share", d.burstShare());
    var burstFactor = numbers(y, "burst_factor", d.burstFactor());
    StartUp startUp = startUp(y.child("startup"));
    Nature nature = nature(y);
    return y.checked(
        "ratio",
        () ->
            new UsageParameters(
                    ratio,
                    memoryRatio,
                    leak,
                    amplitude,
                    phases,
                    day,
                    burstShare,
                    burstFactor,
                    lifetime,
                    startUp)
                .withNature(nature));
  }

  private static MemoryLeak leak(@Nullable StrictYaml y) {
    if (y == null) {
      return MemoryLeak.NONE;
    }
    double owners = y.share("owners", 1);
    var perHour = numbers(y, "per_hour", MemoryLeak.NONE.perHour());
    y.finish();
    return y.checked("per_hour", () -> new MemoryLeak(owners, perHour));
  }

  /** What is played back instead of drawn; null where no history is named. */
  static @Nullable Recorded recorded(
      @Nullable StrictYaml y, Path file, double duration, Histories histories) {
    if (y == null) {
      return null;
    }
    String name = y.text("history", "");
    RequestRule rule = y.choice("request", RequestRule.class, RequestRule.P90_OWNER);
    if (name.isEmpty()) {
      if (y.has("request")) {
        throw y.error("request", "belongs to recorded usage: add 'history: FILE'");
      }
      return null;
    }
    Path folder = file.toAbsolutePath().resolveSibling("");
    String where = file + ":" + y.line("history");
    return new Recorded(histories.read(name, folder, where), rule, duration);
  }

  private static @Nullable Nature nature(StrictYaml usage) {
    StrictYaml y = usage.child("nature");
    if (y == null) {
      return null;
    }
    if (usage.has("history")) {
      throw usage.error("nature", "is drawn, a history is recorded: keep one of the two");
    }
    Nature d = Nature.DEFAULT;
    double unlike = y.share("unlike", d.unlike());
    double releases = y.seconds("releases", d.releaseSeconds());
    var weekend = numbers(y, "weekend", d.weekend());
    var day = Ranges.seconds(y, "day", d.daySeconds());
    double common = y.scalar("common", d.common(), Units::number);
    double bursts = y.share("bursts", d.bursts());
    var follows = numbers(y, "memory_follows", d.memoryFollows());
    y.finish();
    return y.checked(
        "unlike", () -> new Nature(unlike, releases, weekend, day, common, bursts, follows));
  }

  private static StartUp startUp(@Nullable StrictYaml y) {
    StartUp d = StartUp.NONE;
    if (y == null) {
      return d;
    }
    var delay = Ranges.seconds(y, "delay", d.delaySeconds());
    var surge = numbers(y, "surge", d.surge());
    var surgeFor = Ranges.seconds(y, "surge_for", d.surgeSeconds());
    y.finish();
    return y.checked("delay", () -> new StartUp(delay, surge, surgeFor));
  }

  private enum Law {
    EXPONENTIAL,
    HEAVY,
    ENDLESS
  }

  static Lifetime lifetime(@Nullable StrictYaml y, Kind kind) {
    if (y == null) {
      return kind == Kind.DEPLOYMENTS ? Lifetime.endless() : UsageParameters.DEFAULT.lifetime();
    }
    Law law = y.choice("law", Law.class, Law.EXPONENTIAL);
    double mean = y.seconds("mean", 2400);
    y.finish();
    return y.checked(
        "mean",
        () ->
            switch (law) {
              case EXPONENTIAL -> Lifetime.exponential(mean);
              case HEAVY -> Lifetime.heavy(mean);
              case ENDLESS -> Lifetime.endless();
            });
  }
}
