package dev.berth.simulator.experiment;

/** One cell of an experiment; what is done exactly once. */
public record Run(String scenario, String policy, long seed) {}
