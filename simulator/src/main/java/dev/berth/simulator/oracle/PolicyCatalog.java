package dev.berth.simulator.oracle;

import dev.berth.policy.file.NearestName;
import dev.berth.policy.heuristic.Policies;
import dev.berth.simulator.engine.PolicyFactory;
import dev.berth.simulator.rival.Rivals;
import dev.berth.simulator.usage.Draws;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Every policy a simulation can run, by kebab-case name: the heuristics and predictors of the
 * policy module, rivals by release, the oracles, and whatever else is added (learned models).
 */
public final class PolicyCatalog {
  private static final String ORACLE = "oracle-";
  private static final String TOLD = "oracle-told";

  /** Ending of a policy's name that is followed as a scheduler follows Berth. */
  private static final String STOCK = "+stock";

  private final List<Source> sources = new ArrayList<>();

  /** Policies from elsewhere. */
  public interface Source {
    /** Names to list; a source may accept more, such as paths of model files. */
    List<String> names();

    /** The policy, or null when this source does not know the name. */
    @Nullable PolicyFactory find(String name);
  }

  /** Adds policies; asked after the built-in ones. */
  public PolicyCatalog with(Source source) {
    sources.add(source);
    return this;
  }

  /** All names, sorted. */
  public List<String> names() {
    TreeSet<String> names = new TreeSet<>(Policies.names());
    for (Knowledge k : Knowledge.values()) {
      names.add(ORACLE + k.name().toLowerCase(Locale.ROOT));
    }
    names.add(TOLD + "-10");
    names.add("predict-then-greedy" + STOCK);
    names.addAll(Rivals.names());
    sources.forEach(s -> names.addAll(s.names()));
    return List.copyOf(names);
  }

  /**
   * Finds a policy.
   *
   * @throws IllegalArgumentException for an unknown name; the message lists all
   */
  public PolicyFactory find(String name) {
    for (Knowledge k : Knowledge.values()) {
      if (name.equals(ORACLE + k.name().toLowerCase(Locale.ROOT))) {
        return context -> new Oracle(name, k, context.truth());
      }
    }
    if (name.startsWith(TOLD)) {
      double share = share(name);
      return context -> new ToldForecast(name, share, context.truth());
    }
    PolicyFactory rival = Rivals.find(name);
    if (rival != null) {
      return rival;
    }
    if (name.endsWith(STOCK)) {
      PolicyFactory alone = find(name.substring(0, name.length() - STOCK.length()));
      return context -> new AsShipped(name, alone.create(context));
    }
    Optional<PolicyFactory> learned =
        sources.stream().flatMap(s -> Optional.ofNullable(s.find(name)).stream()).findFirst();
    if (learned.isPresent()) {
      return learned.get();
    }
    String base = name.split(":", 2)[0];
    if (!Policies.names().contains(base)) {
      throw new IllegalArgumentException(
          "unknown policy '"
              + name
              + "'"
              + NearestName.suggestion(base, names())
              + "; there are: "
              + String.join(", ", names()));
    }
    Policies.byName(name, Draws.stream(0, "check")); // a bad ablation fails here, not mid-run
    return context -> Policies.byName(name, Draws.stream(context.seed(), "policy/" + name));
  }

  /** The percentage in a policy's name, as a share. */
  private static double share(String name) {
    String percent = name.substring(TOLD.length());
    if (!percent.matches("-(\\d{1,2}|100)")) {
      throw new IllegalArgumentException(
          "policy '"
              + name
              + "': write the percentage of the squared error that it is told, 0 to 100, as in "
              + TOLD
              + "-10");
    }
    return Integer.parseInt(percent.substring(1)) / 100.0;
  }
}
