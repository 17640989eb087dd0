package dev.berth.service.config;

import java.time.Duration;

/** The experience store. */
public record StoreConfig(
    @Doc("SQLite file; empty: `experience.db` in the state folder. Not on a network file system.")
        String file,
    @Doc(
            "Memory for answered decisions that wait to be recorded and learned from; the oldest"
                + " are dropped and counted.")
        DataSize decisions,
    @Doc(
            "Memory for records that wait for the writer; the oldest decisions are dropped and"
                + " counted, outcomes are refused, so that they are sent again.")
        DataSize queue,
    @Doc("Largest size of the file; when it is reached, the oldest decisions are deleted.")
        DataSize size,
    @Doc("Candidates kept per decision, the best ones first; more makes a larger file.")
        int candidatesKept,
    @Doc(
            "Decisions a second that are recorded with so many candidates, in the mean; a minute's"
                + " worth may come at once. Of those beyond only the ten best are kept.")
        int wholeDecisionsPerSecond,
    @Doc("Decisions older than this are deleted.") Duration keep,
    @Doc(
            "How often what was learned of owners (usage, time of day, lifetimes) is written to"
                + " `owners` in the state folder, besides at the end.")
        Duration ownerCheckpointInterval) {

  public StoreConfig {
    Check.memory(decisions, "decisions");
    Check.memory(queue, "queue");
    Check.memory(size, "size");
    Check.that(candidatesKept >= 2, "candidates-kept", "at least 2", candidatesKept);
    Check.that(
        wholeDecisionsPerSecond >= 1 && wholeDecisionsPerSecond <= 100_000,
        "whole-decisions-per-second",
        "1..100000",
        wholeDecisionsPerSecond);
    Check.positive(keep, "keep");
    Check.positive(ownerCheckpointInterval, "owner-checkpoint-interval");
  }

  static StoreConfig defaults() {
    return new StoreConfig(
        "",
        new DataSize(64 << 20),
        new DataSize(32 << 20),
        new DataSize(1L << 30),
        100,
        100,
        Duration.ofDays(14),
        Duration.ofMinutes(1));
  }
}
