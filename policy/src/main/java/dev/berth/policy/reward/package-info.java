/**
 * What a placement is rewarded for: one class per term, and {@link dev.berth.policy.reward.Rewards}
 * that adds them up by weight. docs/rewards.md lists formulas and sources.
 *
 * <p>Promises: every term is a sum over nodes of which a placement changes one, so that a reward is
 * a difference between candidates; unknown is neutral, never zero. No state.
 */
@NullMarked
package dev.berth.policy.reward;

import org.jspecify.annotations.NullMarked;
