package dev.berth.policy.agent;

import dev.berth.policy.features.FeatureSchema;
import dev.berth.policy.model.ModelFile;
import dev.berth.policy.network.Weights;
import dev.berth.policy.tensor.Adam;

/**
 * A trained agent that balances usage, as a {@link ModelFile}.
 *
 * @param base what its correction is added to; a residual on another base does harm
 * @param steps gradient steps behind it
 * @param transitions measured decisions behind it
 */
public record BalanceModel(
    AgentConfig config,
    String base,
    Weights weights,
    Adam.Moments moments,
    long steps,
    long transitions) {
  private static final String TASK = "balance";

  /** A model of this build's features and base. */
  public static BalanceModel of(
      AgentConfig config, Weights weights, Adam.Moments moments, long steps, long transitions) {
    return new BalanceModel(
        config, LearnedPolicy.baseId(config), weights, moments, steps, transitions);
  }

  /** The policy that serves these weights. */
  public LearnedPolicy policy() {
    return new LearnedPolicy(config, weights);
  }

  public byte[] encode() {
    return new ModelFile(
            TASK, FeatureSchema.hash(), base, config.text(), weights, moments, steps, transitions)
        .encode();
  }

  /**
   * Reads a model and checks that this build can serve it.
   *
   * @throws IllegalArgumentException saying what is wrong and what to do: no model, damaged, of
   *     another format, other features or another base
   */
  public static BalanceModel decode(byte[] bytes) {
    ModelFile file = ModelFile.decode(bytes, TASK, "train a new one");
    if (file.schema() != FeatureSchema.hash()) {
      throw new IllegalArgumentException(
          String.format(
              "the model was trained on other features (schema %08x, this build has %08x): train a"
                  + " new one",
              file.schema(), FeatureSchema.hash()));
    }
    AgentConfig config = AgentConfig.parse(file.settings());
    if (!file.weights().spec().equals(AgentNetwork.spec(config))) {
      throw new IllegalArgumentException(
          "the model's network is "
              + file.weights().spec()
              + " where its settings want "
              + AgentNetwork.spec(config)
              + ": train a new one");
    }
    if (!file.base().equals(LearnedPolicy.baseId(config))) {
      throw new IllegalArgumentException(
          "the model corrects base '"
              + file.base()
              + "', this build has '"
              + LearnedPolicy.baseId(config)
              + "': a correction of another base does harm; train a new one");
    }
    Adam.Moments moments = file.moments();
    if (moments == null) {
      throw new IllegalArgumentException(
          "the model holds no optimiser state to go on from: train a new one");
    }
    return new BalanceModel(
        config, file.base(), file.weights(), moments, file.steps(), file.transitions());
  }

  /**
   * Reads a model for an agent on its base; see {@link #decode(byte[])}.
   *
   * @throws IllegalArgumentException also when the model is of another agent or for another base
   */
  public static BalanceModel decode(byte[] bytes, AgentConfig wanted) {
    BalanceModel found = decode(bytes);
    if (found.config.kind() != wanted.kind()) {
      throw new IllegalArgumentException(
          "the model is for agent "
              + found.config.kind().id()
              + ", not "
              + wanted.kind().id()
              + ": choose that agent");
    }
    if (!found.base.equals(LearnedPolicy.baseId(wanted))) {
      throw new IllegalArgumentException(
          "the model corrects base '"
              + found.base
              + "', not '"
              + LearnedPolicy.baseId(wanted)
              + "': a correction fits only its own base");
    }
    if (!found.config.task().rewards().seen().equals(wanted.task().rewards().seen())) {
      throw new IllegalArgumentException(
          "the model sees the rewards "
              + found.config.task().rewards()
              + ", not "
              + wanted.task().rewards()
              + ": go back to those rewards, or start with an empty folder of models");
    }
    return found;
  }
}
