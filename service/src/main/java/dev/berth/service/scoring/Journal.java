package dev.berth.service.scoring;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.PodSample;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Hears of everything that reads or changes the cluster state, in that order: called under its
 * lock, so it must not wait. Times are seconds since the epoch, as the state was told. Arrays and
 * lists are not copied.
 */
public interface Journal {

  /** Hears nothing. */
  Journal NONE =
      new Journal() {
        @Override
        public void decided(
            double at,
            ScoreRequest request,
            Supplier<double[]> base,
            double[] preferences,
            Draw draw,
            long modelVersion) {}

        @Override
        public void applied(double at, List<OutcomeEvent> events) {}

        @Override
        public void sized(double at, Map<String, Double> cores) {}

        @Override
        public void measured(double at, List<PodSample> samples) {}

        @Override
        public void observed(double at, List<NodeSample> samples) {}
      };

  /**
   * A pod was asked about: to be placed, or as a {@link Scorer#WHAT_IF}, which changes nothing.
   *
   * @param base of the sound candidates by the base score alone, made for who asks; empty when too
   *     little was known
   * @param preferences of these with the learned correction
   * @param draw of these, by which one may have come first to learn from it
   */
  void decided(
      double at,
      ScoreRequest request,
      Supplier<double[]> base,
      double[] preferences,
      Draw draw,
      long modelVersion);

  /** Outcomes were taken in. */
  void applied(double at, List<OutcomeEvent> events);

  /** Nodes that no decision has named were measured to have so many cores. */
  void sized(double at, Map<String, Double> cores);

  /** Samples of pods were taken in. */
  void measured(double at, List<PodSample> samples);

  /** Samples of nodes were taken in. */
  void observed(double at, List<NodeSample> samples);
}
