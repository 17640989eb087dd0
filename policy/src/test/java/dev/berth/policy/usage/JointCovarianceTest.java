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
    assertThat(joint.used()).isEqualTo(2);
    observe(1.5, 1e-3, a);
    assertThat(b.mean[0]).isCloseTo(0.5, within(0.02));
    joint.drop(gone);
    assertThat(joint.used()).isEqualTo(2);
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
  void rows_of_one_that_left_are_taken_again_and_know_nothing_of_it() {
    StateEstimate a = new StateEstimate(0, 1);
    StateEstimate gone = new StateEstimate(0, 1);
    StateEstimate owner = new StateEstimate(6);
    joint.admit(a);
    joint.admit(gone);
    joint.admit(owner);
    observe(2, 1e-3, a, gone);
    int row = gone.row;
    joint.drop(gone);
    observe(1, 1e-3, a); // with a free row in between
    StateEstimate larger = new StateEstimate(6);
    joint.admit(larger);
    StateEstimate next = new StateEstimate(5, 1);
    joint.admit(next);
    assertThat(next.row).isEqualTo(row);
    assertThat(larger.row).isNotEqualTo(row);
    assertThat(covariance(next, next)).isEqualTo(1);
    assertThat(covariance(next, a)).isZero();
    assertThat(covariance(a, next)).isZero();
    observe(1.5, 1e-3, a);
    assertThat(next.mean[0]).isEqualTo(5);
  }

  @Test
  void free_rows_do_not_count_for_what_there_is_room_for() {
    StateEstimate kept = new StateEstimate(0, 1);
    joint.admit(kept);
    for (int i = 0; i < 2 * JointCovariance.MAX_ROWS; i++) {
      StateEstimate pod = new StateEstimate(0, 1);
      joint.admit(pod);
      joint.drop(pod);
    }
    assertThat(joint.used()).isEqualTo(1);
    assertThat(joint.size()).isEqualTo(2);
  }

  @Test
  void those_that_stay_keep_their_covariances_when_so_many_go_that_rows_are_moved_together() {
    StateEstimate[] all = new StateEstimate[60];
    for (int i = 0; i < all.length; i++) {
      all[i] = new StateEstimate(0, 1);
      joint.admit(all[i]);
    }
    for (int i = 1; i < all.length; i++) {
      observe(1, 0.3, all[i - 1], all[i]);
    }
    double[][] before = new double[all.length][all.length];
    for (int i = 0; i < all.length; i += 2) {
      for (int j = 0; j < all.length; j += 2) {
        before[i][j] = covariance(all[i], all[j]);
      }
    }
    for (int i = 1; i < all.length; i += 2) {
      joint.drop(all[i]);
    }
    assertThat(joint.used()).isEqualTo(30);
    assertThat(joint.size()).as("without most of what was free").isLessThan(60);
    for (int i = 0; i < all.length; i += 2) {
      for (int j = 0; j < all.length; j += 2) {
        assertThat(covariance(all[i], all[j])).isEqualTo(before[i][j]);
      }
    }
    StateEstimate next = new StateEstimate(6);
    joint.admit(next);
    assertThat(covariance(all[0], next)).isZero();
    assertThat(covariance(next, all[0])).isZero();
  }

  @Test
  void a_cluster_that_outgrows_it_goes_on_without_correlations() {
    StateEstimate first = new StateEstimate(0, 1);
    joint.admit(first);
    for (int i = 0; i < JointCovariance.MAX_ROWS; i++) {
      joint.admit(new StateEstimate(0, 1));
    }
    assertThat(joint.used()).isZero();
    assertThat(first.row).isEqualTo(StateEstimate.NOT_JOINT);
    joint.admit(first);
    assertThat(first.row).isEqualTo(StateEstimate.NOT_JOINT);
  }
}
