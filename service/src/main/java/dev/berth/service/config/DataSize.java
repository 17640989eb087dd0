package dev.berth.service.config;

import dev.berth.policy.text.Units;

/** An amount of bytes. */
public record DataSize(long bytes) {
  @Override
  public String toString() {
    return Units.showBytes(bytes);
  }
}
