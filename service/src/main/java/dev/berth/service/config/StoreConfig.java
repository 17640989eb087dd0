package dev.berth.service.config;

import java.time.Duration;

/** The experience store. */
public record StoreConfig(
    @Doc("SQLite file; empty: `experience.db` in the state folder. Not on a network file system.")
        String file,
    @Doc("Records that may wait for the writer; what comes on top is dropped and counted.")
        int queue,
    @Doc("Candidates kept per decision, the best ones first; more makes a larger file.")
        int candidatesKept,
    @Doc("Decisions older than this are deleted.") Duration keep,
    @Doc(
            "How often what was learned of owners (usage, time of day, lifetimes) is written to"
                + " `owners` in the state folder, besides at the end.")
        Duration ownerCheckpointInterval) {

  public StoreConfig {
    Check.that(queue >= 1, "queue", "at least 1", queue);
    Check.that(candidatesKept >= 2, "candidates-kept", "at least 2", candidatesKept);
    Check.positive(keep, "keep");
    Check.positive(ownerCheckpointInterval, "owner-checkpoint-interval");
  }

  static StoreConfig defaults() {
    return new StoreConfig("", 10_000, 100, Duration.ofDays(14), Duration.ofMinutes(1));
  }
}
