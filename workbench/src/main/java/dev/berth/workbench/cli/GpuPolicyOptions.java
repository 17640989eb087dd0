package dev.berth.workbench.cli;

import dev.berth.policy.gpu.TieRule;
import dev.berth.policy.gpu.agent.AgentModel;
import dev.berth.policy.gpu.value.GpuModel;
import dev.berth.policy.gpu.value.ValueModel;
import dev.berth.simulator.gpu.GpuPolicies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which GPU policies are compared, and under which rule. */
final class GpuPolicyOptions {
  private static final String RIVAL = "fgd";

  @Option(
      names = "--policies",
      split = ",",
      defaultValue = "best-fit,fgd,berth",
      paramLabel = "P",
      description =
          "random, dot-product, gpu-clustering, gpu-packing, best-fit, fgd, berth, or model:FILE"
              + " for any model of gpu-train, as many as you like. Default: ${DEFAULT-VALUE}.")
  private List<String> policies = List.of();

  @Option(
      names = "--seeds",
      converter = SeedRange.Converter.class,
      defaultValue = "42-51",
      description = "Default: ${DEFAULT-VALUE}.")
  private SeedRange seeds = new SeedRange(List.of());

  @Option(
      names = "--ties",
      defaultValue = "published",
      description =
          "Who wins among equal scores: published (a fixed random order, as in the paper's patched"
              + " scheduler) or random (the stock kube-scheduler). Default: ${DEFAULT-VALUE}.")
  private TieRule ties = TieRule.PUBLISHED;

  @Option(
      names = "--model",
      paramLabel = "FILE",
      description = "Model behind 'berth'. Default: the one that ships.")
  private @Nullable Path model;

  List<String> policies() {
    return policies;
  }

  List<Long> seeds() {
    return seeds.seeds();
  }

  TieRule ties() {
    return ties;
  }

  /** As in tables and file names. */
  String tiesName() {
    return ties.name().toLowerCase(Locale.ROOT);
  }

  /** Differences are taken to FGD where it runs, else to the first policy. */
  String rival() {
    return policies.contains(RIVAL) ? RIVAL : policies.get(0);
  }

  /** The policies by name, with every model that was asked for. */
  GpuPolicies factory() throws IOException {
    return factory(each -> each);
  }

  /** The same with models made ready for something else than a fill-up. */
  GpuPolicies factory(UnaryOperator<GpuModel> prepared) throws IOException {
    Map<String, GpuModel> others = new LinkedHashMap<>();
    for (String policy : policies) {
      if (policy.startsWith(GpuPolicies.MODEL_PREFIX)) {
        Path file = Path.of(policy.substring(GpuPolicies.MODEL_PREFIX.length()));
        others.put(policy, prepared.apply(read(file)));
      }
    }
    GpuModel behindBerth = model == null ? ValueModel.shipped() : read(model);
    return new GpuPolicies(prepared.apply(behindBerth), others);
  }

  private static GpuModel read(Path file) throws IOException {
    try {
      return AgentModel.read(Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      throw new IOException(
          "no model at " + file + ": write one with 'berth gpu-train --out " + file + "'", e);
    } catch (IOException | IllegalArgumentException e) {
      throw new IOException("cannot read model " + file + ": " + e.getMessage(), e);
    }
  }
}
