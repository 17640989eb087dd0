package dev.berth.service.config;

import java.util.List;

/** The configuration cannot be used; the message has one line per mistake, each with its fix. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ConfigException(String source, List<String> mistakes) {
    super(source + ":\n  " + String.join("\n  ", mistakes));
  }

  /** A value that only the part which uses it can judge. */
  public static ConfigException of(String key, String mistake) {
    return new ConfigException("configuration", List.of(key + ": " + mistake));
  }
}
