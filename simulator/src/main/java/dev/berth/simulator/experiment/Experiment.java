package dev.berth.simulator.experiment;

import dev.berth.simulator.engine.PolicyFactory;
import dev.berth.simulator.engine.Simulation;
import dev.berth.simulator.oracle.PolicyCatalog;
import dev.berth.simulator.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Scenarios x policies x seeds. Seeds come first in the order of runs, so that an experiment cut
 * short has whole seeds rather than whole scenarios.
 */
public record Experiment(List<Scenario> scenarios, List<String> policies, List<Long> seeds) {
  /** Who places pods when a scenario makes the service slow: the stock scheduler. */
  static final String STOCK = "default-spread";

  public Experiment {
    scenarios = List.copyOf(scenarios);
    policies = List.copyOf(policies);
    seeds = List.copyOf(seeds);
  }

  /** Every run, in order. */
  public List<Run> runs() {
    List<Run> out = new ArrayList<>();
    for (long seed : seeds) {
      for (Scenario scenario : scenarios) {
        for (String policy : policies) {
          out.add(new Run(scenario.name(), policy, seed));
        }
      }
    }
    return out;
  }

  public Scenario scenario(String name) {
    return scenarios.stream()
        .filter(s -> s.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no scenario '" + name + "'"));
  }

  /** Does one run. */
  public static Map<Metric, Double> run(
      Scenario scenario, String policy, long seed, PolicyCatalog catalog) {
    RunMetrics metrics = new RunMetrics(scenario);
    simulation(scenario, catalog.find(policy), seed, catalog).listen(metrics).run();
    return metrics.values();
  }

  /** Does one run on other nodes, with what arrives on the scenario's own. */
  public static Map<Metric, Double> run(
      Scenario scenario, Dial dial, int position, Run run, PolicyCatalog catalog) {
    PolicyFactory policy = catalog.find(run.policy());
    var arrivals = simulation(scenario, policy, run.seed(), catalog).workload();
    Scenario turned = dial.at(scenario, position);
    RunMetrics metrics = new RunMetrics(turned);
    simulation(turned, policy, run.seed(), catalog).play(arrivals).listen(metrics).run();
    return metrics.values();
  }

  /** A simulation with the stock scheduler at hand for scenarios that need it. */
  public static Simulation simulation(
      Scenario scenario, PolicyFactory policy, long seed, PolicyCatalog catalog) {
    Simulation simulation = new Simulation(scenario, seed, policy);
    if (scenario.needsFallback()) {
      var context = new PolicyFactory.Context(scenario, seed, simulation.cluster());
      simulation.fallback(catalog.find(STOCK).create(context));
    }
    return simulation;
  }
}
