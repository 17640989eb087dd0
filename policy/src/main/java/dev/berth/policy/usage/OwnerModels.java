package dev.berth.policy.usage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The owners, and the cluster's mean over them: the prior of an owner never seen.
 *
 * <p>Thread rule: one owner; callers serialise access.
 */
public final class OwnerModels {
  private static final double REFRESH_SECONDS = 30;

  /** Usage / request expected of a cluster nothing is known of. */
  private static final double PRIOR_RATIO = 0.6;

  /** Certainty of the prior ratio, in owners known for certain. */
  private static final double PRIOR_WEIGHT = 2;

  /** {@link OwnerModel#number} of an owner that is not known. */
  private static final int NO_NUMBER = -1;

  private final UsageConfig config;
  private final TimeOfDay timeOfDay;
  private final Map<String, OwnerModel> owners = new HashMap<>();
  private final List<@Nullable OwnerModel> numbered = new ArrayList<>();
  private final Deque<Integer> freeNumbers = new ArrayDeque<>();
  private double ratio;
  private double hazard;
  private double refreshedAt = Double.NEGATIVE_INFINITY;
  private int revision;

  /** Of the owners that had pods when last refreshed: how many, and the hazard of each. */
  private double[] pods = {};

  private double[] hazards = {};
  private double[] survival = {};
  private double[] survivalFor = {};

  public OwnerModels(UsageConfig config) {
    this.config = config;
    this.timeOfDay = new TimeOfDay(config.daySeconds());
    this.ratio = PRIOR_RATIO;
  }

  public Map<String, OwnerModel> all() {
    return owners;
  }

  public @Nullable OwnerModel known(String name) {
    return owners.get(name);
  }

  /** The owner's model, from now on a known one. */
  public OwnerModel admit(String name, double now) {
    return owners.computeIfAbsent(
        name,
        o -> {
          Integer free = freeNumbers.poll();
          OwnerModel owner = unseen(now, free == null ? numbered.size() : free);
          if (free == null) {
            numbered.add(owner);
          } else {
            numbered.set(free, owner);
          }
          return owner;
        });
  }

  /** The known owner with this {@link OwnerModel#number}. */
  OwnerModel numbered(int number) {
    OwnerModel owner = numbered.get(number);
    if (owner == null) {
      throw new IllegalStateException("nobody is owner number " + number + " any more");
    }
    return owner;
  }

  /** The owner's model; for one never seen a stand-in that asking does not make known. */
  public OwnerModel knownOrNew(String name, double now) {
    OwnerModel known = owners.get(name);
    return known == null ? unseen(now, NO_NUMBER) : known;
  }

  private OwnerModel unseen(double now, int number) {
    return new OwnerModel(config, timeOfDay, ratio, hazard, now, number);
  }

  /**
   * Takes the means over all owners anew if those known are 30 s old. Whoever feeds the state calls
   * it: were it done by whoever asks, an answer would hang on who asked before.
   */
  public void refresh(double now) {
    if (now < refreshedAt + REFRESH_SECONDS) {
      return;
    }
    refreshedAt = now;
    double prior = OwnerModel.PRIOR_RATIO_STD * OwnerModel.PRIOR_RATIO_STD;
    double weight = PRIOR_WEIGHT;
    double sum = weight * PRIOR_RATIO;
    double exposure = 0;
    double ends = 0;
    for (OwnerModel o : owners.values()) {
      double w = Math.max(0, 1 - o.meanVariance() / prior);
      weight += w;
      sum += w * o.meanRatio();
      exposure += o.exposure(now);
      ends += o.ends();
    }
    ratio = sum / weight;
    hazard = exposure > 0 ? ends / exposure : 0;
    owners.values().forEach(o -> o.refreshHazard(now, hazard));
    List<OwnerModel> withPods = owners.values().stream().filter(OwnerModel::hasPods).toList();
    pods = withPods.stream().mapToDouble(OwnerModel::pods).toArray();
    hazards = withPods.stream().mapToDouble(OwnerModel::hazard).toArray();
    survivalFor = new double[0];
    changed();
  }

  /**
   * Counts up whenever a known owner's forecast may be another: who keeps what is made of forecasts
   * compares it.
   */
  int revision() {
    return revision;
  }

  /** Estimates of owners have changed: whoever feeds the state says so. */
  public void changed() {
    revision++;
  }

  /** Mean ratio of the owners, each weighted by how certain it is, as last refreshed. */
  public double ratio() {
    return ratio;
  }

  /** Ends per pod-second over the whole cluster, as last refreshed. */
  public double hazard() {
    return hazard;
  }

  /** Share of the pods that still run at each horizon, {@code [horizons]}, as last refreshed. */
  public double[] survival(double[] horizons) {
    if (!Arrays.equals(survivalFor, horizons)) {
      double[] left = new double[horizons.length];
      double all = Arrays.stream(pods).sum();
      for (int h = 0; h < left.length; h++) {
        for (int o = 0; o < pods.length; o++) {
          left[h] += pods[o] * OwnerModel.survival(config, hazards[o], horizons[h]);
        }
        left[h] = all > 0 ? left[h] / all : 1;
      }
      survival = left;
      survivalFor = horizons;
    }
    return survival;
  }

  /** The next refresh is one, however soon it comes. */
  public void invalidate() {
    refreshedAt = Double.NEGATIVE_INFINITY;
  }

  /**
   * Forgets owners without a pod since a point in time. Every run of a Job is an owner of its own:
   * without an end, they would fill the memory.
   *
   * @param most beyond as many others without pods go, too, the longest idle first
   */
  public void forgetIdle(double before, int most, UsageFilter filter) {
    double since = before;
    if (owners.size() > most) {
      double[] idle =
          owners.values().stream().mapToDouble(OwnerModel::idleSince).sorted().toArray();
      since = Math.max(before, idle[owners.size() - most]);
    }
    for (Iterator<OwnerModel> i = owners.values().iterator(); i.hasNext(); ) {
      OwnerModel o = i.next();
      if (o.idleSince() < since) {
        i.remove();
        changed(); // its number may be another's
        numbered.set(o.number(), null);
        freeNumbers.add(o.number());
        filter.forget(o);
      }
    }
  }
}
