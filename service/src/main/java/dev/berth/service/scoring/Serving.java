package dev.berth.service.scoring;

import dev.berth.policy.Policy;

/**
 * What scores at present; replaced as a whole when a newer model is promoted.
 *
 * @param modelVersion 0 for a policy that does not learn
 */
public record Serving(Policy policy, long modelVersion) {}
