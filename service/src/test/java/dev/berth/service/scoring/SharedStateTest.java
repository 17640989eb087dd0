package dev.berth.service.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SharedStateTest {
  private static final int MOST_OVERTAKES = 16;
  private final SharedState shared =
      new SharedState(new ClusterState(UsageConfig.DEFAULT), Clock.systemUTC());

  @Test
  void afterSixteenQuestionsItIsTheTurnOfWhoeverWaits() throws Exception {
    AtomicBoolean served = new AtomicBoolean();
    Thread waiter =
        new Thread(
            () -> {
              shared.lock();
              served.set(true);
              shared.unlock();
            });
    shared.lockFirst();
    waiter.start();
    while (waiter.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    for (int i = 0; i < MOST_OVERTAKES; i++) { // in one go, as nobody else can have it meanwhile
      shared.lockFirst();
    }
    for (int i = 0; i <= MOST_OVERTAKES; i++) {
      shared.unlock();
    }
    // Free, and the waiter has to wake up: a question would be first, were it not one too many.
    shared.lockFirst();
    assertThat(served).isTrue();
    shared.unlock();
    waiter.join();
  }
}
