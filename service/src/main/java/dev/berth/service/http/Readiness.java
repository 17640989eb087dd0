package dev.berth.service.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Why the service is not ready, what is wrong without making it so, and what else is good to know.
 * Declared before start, read by any thread.
 */
public final class Readiness {
  private final Map<String, Supplier<Optional<String>>> causes = new LinkedHashMap<>();
  private final Map<String, Supplier<Optional<String>>> warnings = new LinkedHashMap<>();
  private final Map<String, Supplier<Optional<String>>> notes = new LinkedHashMap<>();

  /** While {@code why} gives a text, the service takes no traffic. */
  public Readiness cause(String name, Supplier<Optional<String>> why) {
    causes.put(name, why);
    return this;
  }

  /** Shown, but the service goes on answering: a scorer without measurements still helps. */
  public Readiness warning(String name, Supplier<Optional<String>> why) {
    warnings.put(name, why);
    return this;
  }

  /** Shown, and nothing is wrong. */
  public Readiness note(String name, Supplier<Optional<String>> what) {
    notes.put(name, what);
    return this;
  }

  /** 1 for what is wrong and 0 for what is not, by name. */
  public Map<String, Integer> problems() {
    Map<String, Integer> out = new TreeMap<>();
    warnings.forEach((name, why) -> out.put(name, why.get().isPresent() ? 1 : 0));
    causes.forEach((name, why) -> out.merge(name, why.get().isPresent() ? 1 : 0, Math::max));
    return out;
  }

  Map<String, String> causes() {
    return present(causes);
  }

  Map<String, String> warnings() {
    return present(warnings);
  }

  Map<String, String> notes() {
    return present(notes);
  }

  private static Map<String, String> present(Map<String, Supplier<Optional<String>>> all) {
    Map<String, String> out = new TreeMap<>();
    all.forEach((name, why) -> why.get().ifPresent(text -> out.put(name, text)));
    return out;
  }
}
