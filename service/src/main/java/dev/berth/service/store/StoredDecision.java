package dev.berth.service.store;

import com.fasterxml.jackson.annotation.JsonRawValue;
import org.jspecify.annotations.Nullable;

/**
 * A decision as it is read back: the answer to "why this node?".
 *
 * @param at RFC 3339
 * @param candidates how many candidates there were
 * @param nodes JSON columns of the best candidates, best first
 * @param node where the pod went, null until its outcome arrived
 * @param reward what it turned out to be worth, null until measured
 */
public record StoredDecision(
    String decision,
    String at,
    String scheduler,
    String mode,
    String podUid,
    String pod,
    String owner,
    String policy,
    long modelVersion,
    String basis,
    double propensity,
    boolean explored,
    @Nullable String reason,
    @Nullable String node,
    @Nullable Double reward,
    int candidates,
    @JsonRawValue String nodes) {}
