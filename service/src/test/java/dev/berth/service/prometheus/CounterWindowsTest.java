package dev.berth.service.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CounterWindowsTest {
  private final CounterWindows<String> windows = new CounterWindows<>();

  @Test
  void whoInventsNamesFillsNoMemoryAndKeepsNobodyFromBeingMeasured() {
    next("a", 1_000);
    for (int i = 0; i < CounterWindows.MOST; i++) {
      next("x" + i, 1_000);
    }
    assertThat(next("a", 1_015)).isNotNull();
    next("new", 1_030); // there is no room
    assertThat(next("new", 1_045)).isNull();
    windows.forget(1_151); // those not seen for long went
    next("new", 1_150);
    assertThat(next("new", 1_165)).isNotNull();
    assertThat(next("a", 1_165)).isNotNull();
  }

  private CounterWindows.Window next(String node, double at) {
    return windows.next(node, at, at / 2, 1, 4);
  }
}
