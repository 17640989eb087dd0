package dev.berth.service.cli;

import dev.berth.policy.gpu.TieRule;
import dev.berth.policy.gpu.value.ValueModel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which GPU policies are compared, and under which rule. */
final class GpuPolicyOptions {
  private static final String RIVAL = "fgd";

  @Option(
      names = "--policies",
      split = ",",
      defaultValue = "best-fit,fgd,berth",
      description = "Default: ${DEFAULT-VALUE}.")
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

  ValueModel model() throws IOException {
    if (model == null) {
      return ValueModel.shipped();
    }
    try (InputStream in = Files.newInputStream(model)) {
      return ValueModel.read(in);
    } catch (IOException e) {
      throw new IOException("cannot read model " + model + ": " + e.getMessage(), e);
    }
  }
}
