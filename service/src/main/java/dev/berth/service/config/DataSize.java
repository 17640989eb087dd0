package dev.berth.service.config;

/** An amount of bytes. */
public record DataSize(long bytes) {
  @Override
  public String toString() {
    return Units.showSize(bytes);
  }
}
