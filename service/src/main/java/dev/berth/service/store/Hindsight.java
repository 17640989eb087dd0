package dev.berth.service.store;

import org.jspecify.annotations.Nullable;

/**
 * What was measured of a {@link Choice} some minutes later.
 *
 * @param regret as {@link Choice#measured}; null where nothing was forecast, which tells what the
 *     pod adds
 * @param gap as {@link Choice#gap}
 */
public record Hindsight(String decision, @Nullable Double regret, double gap) {}
