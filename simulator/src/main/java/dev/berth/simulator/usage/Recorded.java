package dev.berth.simulator.usage;

/**
 * Usage that is played back instead of drawn.
 *
 * @param history what was recorded
 * @param rule what its pods ask for
 * @param spanSeconds length of the stretch that a run plays, and plays again when it is over
 */
public record Recorded(History history, RequestRule rule, double spanSeconds) {}
