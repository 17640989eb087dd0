package dev.berth.service.registry;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a model without opening it.
 *
 * @param version counts from 1
 * @param agent name of the agent that the model is for
 * @param createdAt RFC 3339
 * @param trainSteps gradient steps behind it
 * @param transitions decisions with a measured reward behind it
 * @param reason why it was made, in one sentence
 * @param verdict what real placements said of it; null before they did
 */
public record ModelInfo(
    long version,
    String agent,
    String createdAt,
    long trainSteps,
    long transitions,
    String reason,
    @JsonProperty(required = false) @Nullable Verdict verdict) {

  /**
   * Why a version serves or does not.
   *
   * @param keptBack it must not serve unless somebody asks for it
   */
  public record Verdict(boolean keptBack, String reason) {}

  boolean keptBack() {
    return verdict != null && verdict.keptBack();
  }

  ModelInfo with(Verdict said) {
    return new ModelInfo(version, agent, createdAt, trainSteps, transitions, reason, said);
  }
}
