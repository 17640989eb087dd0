package dev.berth.service.registry;

/**
 * What is known of a model without opening it.
 *
 * @param version counts from 1
 * @param agent name of the agent that the model is for
 * @param createdAt RFC 3339
 * @param trainSteps gradient steps behind it
 * @param transitions decisions with a measured reward behind it
 * @param reason why it was made or let through, in one sentence
 */
public record ModelInfo(
    long version,
    String agent,
    String createdAt,
    long trainSteps,
    long transitions,
    String reason) {}
