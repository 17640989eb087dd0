package dev.berth.service.config;

import dev.berth.policy.text.Units;
import java.time.Duration;

/** The checks of the records; a message starts with the key, the binder puts the section before. */
final class Check {
  private Check() {}

  static void that(boolean holds, String key, String rule, Object value) {
    if (!holds) {
      Object shown = value instanceof Duration d ? Units.show(d) : value;
      throw new IllegalArgumentException(key + " must be " + rule + ", got " + shown);
    }
  }

  static void memory(DataSize value, String key) {
    that(value.bytes() >= 1 << 20 && value.bytes() <= 1L << 40, key, "1MiB..1TiB", value);
  }

  static void positive(Duration value, String key) {
    that(!value.isZero() && !value.isNegative(), key, "longer than 0", value);
  }
}
