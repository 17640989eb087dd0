package dev.berth.service.scoring;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The schedulers that asked within the last hour: which revision of the contract they speak, and in
 * which modes they ask. Every process of a scheduler has a name of its own, so only the newest
 * {@link #MAX_SCHEDULERS} are kept. Thread-safe.
 */
public final class Schedulers {
  /** The revision of api/openapi.yaml that this service speaks. */
  public static final int CONTRACT = 2;

  private static final int MAX_SCHEDULERS = 32;
  private static final double FORGET_SECONDS = 3600;

  /** By less a batch of outcomes may be late. */
  private static final double CLOCKS_DIFFER_SECONDS = 30;

  private final Map<String, Asker> askers = new HashMap<>();

  private static final class Asker {
    private int contract;
    private double last;
    private @Nullable Double clip;
    private double ahead;
    private final Map<Mode, Long> asked = new EnumMap<>(Mode.class);
  }

  /**
   * One of them.
   *
   * @param contract revision that it speaks
   * @param idleSeconds since it asked last
   * @param asked questions by mode
   * @param clip that it lowers the learned correction to; null where it leaves it to the service
   */
  public record Seen(
      String name,
      int contract,
      double idleSeconds,
      Map<String, Long> asked,
      @Nullable Double clip) {}

  /**
   * @param clip of the question
   * @param now seconds since the epoch
   */
  public synchronized void asked(
      String name, int contract, Mode mode, @Nullable Double clip, double now) {
    Asker asker = askers.get(name);
    if (asker == null) {
      makeRoom(now);
      asker = new Asker();
      askers.put(name, asker);
    }
    asker.contract = contract;
    asker.last = now;
    asker.clip = clip;
    asker.asked.merge(mode, 1L, Long::sum);
  }

  /**
   * One of those that asked has sent outcomes.
   *
   * @param ahead seconds that this machine's clock is ahead of its clock
   */
  public synchronized void heard(String name, double ahead) {
    Asker asker = askers.get(name);
    if (asker != null) {
      asker.ahead = ahead;
    }
  }

  private void makeRoom(double now) {
    askers.values().removeIf(a -> now - a.last > FORGET_SECONDS);
    if (askers.size() >= MAX_SCHEDULERS) {
      askers.entrySet().stream()
          .min(Comparator.comparingDouble(e -> e.getValue().last))
          .map(Map.Entry::getKey)
          .ifPresent(askers::remove);
    }
  }

  /** Those of the last hour, by name. */
  public synchronized List<Seen> list(double now) {
    return askers.entrySet().stream()
        .filter(e -> now - e.getValue().last <= FORGET_SECONDS)
        .sorted(Map.Entry.comparingByKey())
        .map(e -> seen(e.getKey(), e.getValue(), now))
        .toList();
  }

  private static Seen seen(String name, Asker a, double now) {
    Map<String, Long> byMode = new TreeMap<>();
    a.asked.forEach((mode, n) -> byMode.put(mode.name().toLowerCase(Locale.ROOT), n));
    return new Seen(name, a.contract, Math.max(0, now - a.last), byMode, a.clip);
  }

  /** Whose clock is far from this machine's. */
  public synchronized Optional<String> clocks(double now) {
    String off =
        askers.entrySet().stream()
            .filter(e -> now - e.getValue().last <= FORGET_SECONDS)
            .filter(e -> Math.abs(e.getValue().ahead) > CLOCKS_DIFFER_SECONDS)
            .sorted(Map.Entry.comparingByKey())
            .map(e -> off(e.getKey(), e.getValue().ahead))
            .collect(Collectors.joining(", "));
    return off.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the clock of scheduler " + off + " this machine's; its times are moved by it");
  }

  private static String off(String name, double ahead) {
    return String.format(
        Locale.ROOT, "'%s' is %.0f s %s", name, Math.abs(ahead), ahead > 0 ? "behind" : "ahead of");
  }

  /** What is wrong with their versions, and the mend. */
  public Optional<String> outdated(double now) {
    String old =
        list(now).stream()
            .filter(s -> s.contract() < CONTRACT)
            .map(s -> "'" + s.name() + "' speaks revision " + s.contract())
            .collect(Collectors.joining(", "));
    return old.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "scheduler %s of the contract, this service %d: it is scored, but berth mode does not reach it; roll out the scheduler's image of this release"
                .formatted(old, CONTRACT));
  }
}
