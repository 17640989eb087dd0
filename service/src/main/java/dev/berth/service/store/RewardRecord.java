package dev.berth.service.store;

/**
 * What a decision turned out to be worth.
 *
 * @param at seconds since the epoch when it was measured
 */
public record RewardRecord(String decision, double at, double reward) {}
