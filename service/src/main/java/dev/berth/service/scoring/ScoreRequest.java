package dev.berth.service.scoring;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;

/**
 * The plugin's request.
 *
 * @param decision id the reply must repeat
 * @param scheduler who asks, {@code name/instance}
 */
public record ScoreRequest(
    String decision, String scheduler, Mode mode, Pod pod, Candidates candidates) {}
