package dev.berth.service.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SchedulersTest {
  private final Schedulers schedulers = new Schedulers();

  @Test
  void whoAskedInWhichModeIsKeptForAnHour() {
    schedulers.asked("a/1", 2, Mode.CANARY, null, 1000);
    schedulers.asked("a/1", 2, Mode.SHADOW, null, 1001);
    schedulers.asked("a/1", 2, Mode.SHADOW, 0.01, 1002);
    assertThat(schedulers.list(1010))
        .containsExactly(
            new Schedulers.Seen("a/1", 2, 8, Map.of("canary", 1L, "shadow", 2L), 0.01));
    assertThat(schedulers.list(1002 + 3601)).isEmpty();
  }

  @Test
  void oneThatSpeaksAnOlderRevisionIsNamedUntilItIsReplaced() {
    schedulers.asked("old/1", 1, Mode.ACTIVE, null, 0);
    schedulers.asked("new/1", Schedulers.CONTRACT, Mode.ACTIVE, null, 0);
    assertThat(schedulers.outdated(1)).get().asString().contains("'old/1'").doesNotContain("new/1");
    assertThat(schedulers.outdated(4000)).isEmpty();
  }

  @Test
  void namesThatChangeWithEveryRestartDoNotFillTheTable() {
    for (int i = 0; i < 1000; i++) {
      schedulers.asked("s/" + i, 2, Mode.ACTIVE, null, i);
    }
    assertThat(schedulers.list(1000)).hasSize(32).last().extracting("name").isEqualTo("s/999");
  }
}
