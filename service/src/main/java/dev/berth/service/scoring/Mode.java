package dev.berth.service.scoring;

import java.util.Locale;

/** What the plugin does with the answer. */
public enum Mode {
  /** The scores count. */
  ACTIVE,
  /** The scores count for this pod, one of a few. */
  CANARY,
  /** The scores are looked at and thrown away. */
  SHADOW;

  private final String wireName = name().toLowerCase(Locale.ROOT);

  public String wireName() {
    return wireName;
  }

  public static Mode of(String wireName) {
    for (Mode mode : values()) {
      if (mode.wireName.equals(wireName)) {
        return mode;
      }
    }
    throw new IllegalArgumentException(
        "mode '" + wireName + "' is unknown: use active, canary or shadow");
  }
}
