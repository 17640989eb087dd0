package dev.berth.policy.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class JointCovarianceTest {
  private final JointCovariance joint = new JointCovariance();

  /** One observation y = sum of x . belief + noise, as the filter makes it. */
  private void observe(double y, double noise, StateEstimate... beliefs) {
    double[] gain = new double[joint.size()];
    double expected = 0;
    for (StateEstimate b : beliefs) {
      joint.addGain(b, new double[] {1}, gain);
      expected += b.mean[0];
    }
    double variance = noise;
    for (StateEstimate b : beliefs) {
      variance += gain[b.row];
    }
    joint.update(gain, (y - expected) / variance, variance);
  }

  @Test
  void learning_about_one_of_a_sum_says_something_of_the_other() {
    StateEstimate a = new StateEstimate(0, 1);
    StateEstimate b = new StateEstimate(0, 1);
    joint.admit(a);
    joint.admit(b);
    observe(2, 1e-3, a, b);
    assertThat(a.mean[0]).isCloseTo(1, within(0.01));
    assertThat(b.mean[0]).isCloseTo(1, within(0.01));
    assertThat(a.variance(0)).isCloseTo(0.5, within(0.01));
    // a turns out to be 1.5: b must be 0.5, though nobody looked at it.
    observe(1.5, 1e-3, a);
    assertThat(b.mean[0]).isCloseTo(0.5, within(0.02));
    assertThat(b.variance(0)).isLessThan(0.01);
  }

  @Test
  void a_member_that_leaves_does_not_disturb_the_others() {
    StateEstimate a = new StateEstimate(0, 1);
    StateEstimate gone = new StateEstimate(3);
    gone.setVariance(1, 5);
    StateEstimate b = new StateEstimate(0, 1);
    joint.admit(a);
    joint.admit(gone);
    joint.admit(b);
    observe(2, 1e-3, a, b);
    joint.drop(gone);
    assertThat(joint.size()).isEqualTo(2);
    observe(1.5, 1e-3, a);
    assertThat(b.mean[0]).isCloseTo(0.5, within(0.02));
    joint.drop(gone);
    assertThat(joint.size()).isEqualTo(2);
  }

  /** What it keeps of one with another, as the gain of the one shows it. */
  private double covariance(StateEstimate of, StateEstimate with) {
    double[] gain = new double[joint.size()];
    joint.addGain(of, new double[] {1}, gain);
    return gain[with.row];
  }

  @Test
  void rows_that_an_observation_leaves_alone_follow_those_that_it_moves() {
    StateEstimate[] all = new StateEstimate[50]; // more than are written at a time
    for (int i = 0; i < all.length; i++) {
      all[i] = new StateEstimate(0, 1);
      joint.admit(all[i]);
    }
    for (int i = 1; i < all.length; i++) { // the farther from the first, the less correlated
      observe(1, 0.3, all[i - 1], all[i]);
    }
    double[] before = all[49].mean.clone();
    double known = covariance(all[0], all[0]);
    observe(3, 0.1, all[0]);
    assertThat(covariance(all[0], all[0])).isLessThan(known);
    assertThat(all[49].mean).as("left alone").isEqualTo(before);
    for (StateEstimate a : all) {
      for (StateEstimate b : all) {
        assertThat(covariance(a, b)).isCloseTo(covariance(b, a), within(1e-12));
      }
    }
  }

  @Test
  void a_cluster_that_outgrows_it_goes_on_without_correlations() {
    StateEstimate first = new StateEstimate(0, 1);
    joint.admit(first);
    for (int i = 0; i < JointCovariance.MAX_ROWS; i++) {
      joint.admit(new StateEstimate(0, 1));
    }
    assertThat(joint.size()).isZero();
    assertThat(first.row).isEqualTo(StateEstimate.NOT_JOINT);
    joint.admit(first);
    assertThat(first.row).isEqualTo(StateEstimate.NOT_JOINT);
  }
}
