package dev.berth.service.experiment;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.berth.policy.evidence.Slots;
import dev.berth.policy.evidence.Slots.Arm;
import org.jspecify.annotations.Nullable;

/**
 * An experiment as somebody asked for it.
 *
 * @param a what serves in A's slots, see {@link Arms}
 * @param b what serves in B's
 * @param slotSeconds length of a slot
 * @param washoutSeconds at a slot's beginning, not measured
 * @param seed of the coins that name the first of each pair
 * @param start seconds since the epoch
 * @param stopped when it was ended by hand, seconds since the epoch; null while it was not
 */
public record Plan(
    String a,
    String b,
    double slotSeconds,
    double washoutSeconds,
    long seed,
    double start,
    @JsonProperty(required = false) @Nullable Double stopped) {

  public Plan {
    new Slots(seed, start, slotSeconds, washoutSeconds); // refuses what is no timetable
  }

  @JsonIgnore
  public Slots slots() {
    return new Slots(seed, start, slotSeconds, washoutSeconds);
  }

  public String name(Arm arm) {
    return arm == Arm.A ? a : b;
  }

  public Plan stoppedAt(double at) {
    return new Plan(a, b, slotSeconds, washoutSeconds, seed, start, at);
  }
}
