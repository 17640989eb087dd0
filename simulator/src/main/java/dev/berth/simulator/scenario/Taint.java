package dev.berth.simulator.scenario;

/** A node taint with effect NoSchedule; pods tolerate it by key and value. */
public record Taint(String key, String value) {}
