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
  private static final int MANY = 1_000_000;
  private final SharedState shared =
      new SharedState(new ClusterState(UsageConfig.DEFAULT), Clock.systemUTC());

  @Test
  void questionsOvertakeWhoeverWaitsThoughNotForEver() throws Exception {
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
    shared.unlock();
    int overtook = 0;
    for (int i = 0; i < MANY; i++) {
      shared.lockFirst();
      boolean before = !served.get();
      shared.unlock();
      if (!before) {
        break;
      }
      overtook++;
    }
    waiter.join();
    assertThat(overtook).isLessThanOrEqualTo(16);
  }
}
