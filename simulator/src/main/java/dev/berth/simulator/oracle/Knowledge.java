package dev.berth.simulator.oracle;

import dev.berth.simulator.engine.RunningPod;
import dev.berth.simulator.usage.Load;
import dev.berth.simulator.usage.OwnerProfile;
import dev.berth.simulator.usage.PodDemand;

/** What an oracle knows, as kinds of foresight over the same truth. */
enum Knowledge {
  /** The noise-free demand of this instant, without lag; nothing of what follows. */
  NOW(new double[] {0}) {
    @Override
    double factor(Load load, double now, double ahead) {
      return load.at(now);
    }

    @Override
    double survival(RunningPod pod, double now, double ahead) {
      return 1;
    }
  },
  /**
   * The true parameters of every owner and pod, mean, phase, burst state and lifetime law, but no
   * realisation of the future. The practical ceiling for learning: a yardstick, not a bound.
   */
  PROFILE(new double[] {0, 300, 900, 1800, 3000}),
  /**
   * The true parameters of every owner, as {@link #PROFILE}, but nothing of what sets one pod apart
   * from its owner: what perfect learning of owners could reach. Who watches long enough may pass
   * it.
   */
  OWNERS(PROFILE.horizons) {
    @Override
    Load load(PodDemand pod) {
      return pod.ownerLoad();
    }

    @Override
    double typicalCores(PodDemand pod) {
      return pod.requestCores();
    }
  },
  /**
   * As {@link #PROFILE} of every pod that runs, and as {@link #OWNERS} of the one to be placed,
   * which nobody has seen yet: what perfect measurement of pods could reach.
   */
  RUNNING(PROFILE.horizons) {
    @Override
    Load loadToCome(PodDemand pod) {
      return OWNERS.load(pod);
    }

    @Override
    double typicalCoresToCome(PodDemand pod) {
      return OWNERS.typicalCores(pod);
    }
  },
  /** True trajectories and true ends. Not reachable. */
  FUTURE(new double[] {0, 60, 180, 300, 600, 900, 1350, 1800, 2400, 3000}) {
    @Override
    double factor(Load load, double now, double ahead) {
      return load.at(now + ahead);
    }

    @Override
    double survival(RunningPod pod, double now, double ahead) {
      return pod.endsAt() > now + ahead ? 1 : 0;
    }
  };

  private final double[] horizons;

  Knowledge(double[] horizons) {
    this.horizons = horizons;
  }

  /** Seconds after now. */
  double[] horizons() {
    return horizons;
  }

  /** What it knows a pod's usage to follow. */
  Load load(PodDemand pod) {
    return pod.load();
  }

  /** Noise-free usage of a pod at a load of one, cores. */
  double typicalCores(PodDemand pod) {
    return pod.typicalCores();
  }

  /** {@link #load} of the pod that is to be placed. */
  Load loadToCome(PodDemand pod) {
    return load(pod);
  }

  /** {@link #typicalCores} of the pod that is to be placed. */
  double typicalCoresToCome(PodDemand pod) {
    return typicalCores(pod);
  }

  /** Usage / typical usage {@code ahead} seconds from now; as {@link #PROFILE} by default. */
  double factor(Load load, double now, double ahead) {
    return load.expected(now, now + ahead);
  }

  /** Chance that a running pod is still there; as {@link #PROFILE} by default. */
  double survival(RunningPod pod, double now, double ahead) {
    OwnerProfile owner = pod.demand().owner();
    return pod.lifetime().survives(owner.meanLifetime(), now - pod.demand().start(), ahead);
  }
}
