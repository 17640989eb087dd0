package dev.berth.simulator.usage;

import java.util.SplittableRandom;

/**
 * What lies between a bind and steady work, as ranges that owners draw from. Drawn from a stream of
 * its own, so that a scenario without it keeps every other draw.
 *
 * @param delaySeconds from bind to running containers (image pull, init containers, probes); a pod
 *     takes half to one and a half times its owner's delay
 * @param surge CPU on top of everything else while the process starts, as a multiple of the request
 *     and whatever the load: class loading and compilation of a JVM
 * @param surgeSeconds how long the surge lasts, from the start of the containers
 */
public record StartUp(Range delaySeconds, Range surge, Range surgeSeconds) {
  /** Containers run at once and start without effort. */
  public static final StartUp NONE =
      new StartUp(new Range(0, 0), new Range(0, 0), new Range(30, 30));

  public StartUp {
    if (delaySeconds.min() < 0 || surge.min() < 0 || surgeSeconds.min() < 0) {
      throw new IllegalArgumentException(
          "startup must not be negative, got delay %s, surge %s, surge_for %s"
              .formatted(delaySeconds, surge, surgeSeconds));
    }
  }

  /**
   * One owner's start.
   *
   * @param delaySeconds mean over its pods
   * @param surge multiple of the request
   * @param surgeSeconds how long it lasts
   */
  public record Profile(double delaySeconds, double surge, double surgeSeconds) {}

  Profile draw(long seed, String owner) {
    SplittableRandom random = Draws.stream(seed, "startup/" + owner);
    return new Profile(delaySeconds.draw(random), surge.draw(random), surgeSeconds.draw(random));
  }
}
