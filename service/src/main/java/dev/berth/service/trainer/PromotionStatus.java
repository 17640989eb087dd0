package dev.berth.service.trainer;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.berth.policy.evidence.Estimate;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What measured decisions say of a version of the model against another; a part of {@code GET
 * /v1/status}.
 *
 * @param version null while newer weights have no version yet
 * @param against version it is compared with; null for the base alone, on the same pods
 * @param decisions measured decisions behind the gain
 * @param gain mean reward per decision above the other's; null before the first
 * @param interval both ends of the gain's 95 % interval; null while it has none
 * @param reason in words
 */
public record PromotionStatus(
    State state,
    @Nullable Long version,
    @Nullable Long against,
    long decisions,
    @Nullable Double gain,
    @Nullable List<Double> interval,
    String reason) {

  private static final double EACH_END = 0.025;

  /** Where a version stands. */
  public enum State {
    /** There are no newer weights to judge, or not enough measured decisions. */
    WAITING,
    /** Serves for half of the owners, the version it would replace for the others. */
    TRIAL,
    SERVING,
    KEPT_BACK,
    /** Served, and does no longer: it was clearly worse. */
    STEPPED_BACK,
    /** A rollback holds the serving version: nothing newer is judged. */
    PINNED;

    private final String wireName = name().toLowerCase(Locale.ROOT).replace('_', '-');

    @JsonValue
    public String wireName() {
      return wireName;
    }
  }

  static PromotionStatus of(
      State state, @Nullable Long version, @Nullable Long against, Estimate e, String reason) {
    boolean any = e.decisions() > 0;
    double low = e.lower(EACH_END);
    double high = e.upper(EACH_END);
    boolean bounded = any && Double.isFinite(low) && Double.isFinite(high);
    return new PromotionStatus(
        state,
        version,
        against,
        e.decisions(),
        any ? e.gain() : null,
        bounded ? List.of(low, high) : null,
        reason);
  }

  static PromotionStatus waiting(String reason) {
    return new PromotionStatus(State.WAITING, null, null, 0, null, null, reason);
  }
}
