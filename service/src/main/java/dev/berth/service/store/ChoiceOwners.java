package dev.berth.service.store;

import java.util.List;

/**
 * Owners of choices. Where pods have no owner, or one of their own as those of a Job have, there
 * are as many as pods.
 *
 * @param most the owners with the most choices, the first of all first
 * @param all how many owners there are
 */
public record ChoiceOwners(List<String> most, long all) {}
