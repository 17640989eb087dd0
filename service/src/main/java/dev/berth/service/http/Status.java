package dev.berth.service.http;

import dev.berth.policy.predict.ForecastErrors;
import dev.berth.service.effect.Effect;
import dev.berth.service.metrics.Latency;
import dev.berth.service.prometheus.FiringAlerts;
import dev.berth.service.regret.Report;
import dev.berth.service.scoring.Schedulers;
import dev.berth.service.trainer.PromotionStatus;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the service has done since its start; {@code GET /v1/status}.
 *
 * @param podsMeasured running pods whose own usage Prometheus told when it was last asked
 * @param schedulers that asked within the last hour
 * @param transitions decisions with a measured reward
 * @param modelVersions versions that answered
 * @param servedByNewModel decisions by a model newer than the first one
 * @param rewardMean of the chosen candidates against the candidates' mean, null before the first
 * @param forecast how good the forecasts have been, by horizon; empty until the first came true
 * @param effect what Berth changed, by the model's own reckoning
 * @param regret the real choice against Berth's in the last 24 hours; null until first reckoned
 * @param clip the largest learned correction, share of a node, as far as schedulers do not lower
 *     it; null where nothing is learned
 * @param alerts of Berth's that fire; null where Prometheus does not say
 * @param promotion of the newest weights that were judged; null when nothing learns
 * @param watch of the serving version against its base; null when nothing learns
 * @param trainer what the trainer does, or why it does nothing
 */
public record Status(
    String instance,
    String policy,
    double uptimeSeconds,
    long podsScored,
    long decisionsNeutral,
    int podsRunning,
    int podsMeasured,
    List<Schedulers.Seen> schedulers,
    Latency.Quantiles scoreLatencyMs,
    long transitions,
    long transitionsWaiting,
    int replaySize,
    long trainSteps,
    long modelVersion,
    List<Long> modelVersions,
    long servedByNewModel,
    @Nullable Double rewardMean,
    @Nullable Double loss,
    Map<String, ForecastErrors.Accuracy> forecast,
    Effect.Report effect,
    @Nullable Report regret,
    @Nullable Double clip,
    @Nullable List<FiringAlerts.Alert> alerts,
    @Nullable PromotionStatus promotion,
    @Nullable PromotionStatus watch,
    String trainer) {}
