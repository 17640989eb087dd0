package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsageKeysTest {
  private static final String WEB = "shop/Deployment/web";

  @TempDir private Path folder;

  private UsageKeys keys() throws IOException {
    return new UsageKeys(folder.resolve("keys.json"));
  }

  private static String key(UsageKeys keys, String uid) {
    return keys.bound(uid, WEB, 100).key();
  }

  @Test
  void twoRunsOfOneListMeetTheSameUsageWhateverTheUids() throws IOException {
    UsageKeys stock = new UsageKeys(null);
    UsageKeys berth = new UsageKeys(null);
    assertThat(key(stock, "a")).isEqualTo(key(berth, "x")).isEqualTo(WEB + "/0");
    assertThat(key(stock, "b")).isEqualTo(key(berth, "y")).isEqualTo(WEB + "/1");
    assertThat(stock.bound("c", "shop/Deployment/db", 100).key()).isEqualTo("shop/Deployment/db/0");
  }

  @Test
  void aPodKeepsItsKeyWhileItLives() throws IOException {
    UsageKeys keys = new UsageKeys(null);
    key(keys, "a");
    key(keys, "b");
    keys.gone("a");
    assertThat(key(keys, "b")).isEqualTo(WEB + "/1");
  }

  @Test
  void aReplacementGoesOnAsThePodThatItReplaces() throws IOException {
    UsageKeys keys = new UsageKeys(null);
    key(keys, "a");
    key(keys, "b");
    keys.gone("a");
    keys.gone("a"); // told twice
    keys.gone("never heard of");
    assertThat(key(keys, "c")).isEqualTo(WEB + "/0");
    assertThat(key(keys, "d")).isEqualTo(WEB + "/2");
  }

  @Test
  void anEmptiedClusterBeginsAtZeroAgain() throws IOException {
    UsageKeys keys = new UsageKeys(null);
    for (int turn = 0; turn < 2; turn++) {
      assertThat(key(keys, "a" + turn)).isEqualTo(WEB + "/0");
      assertThat(key(keys, "b" + turn)).isEqualTo(WEB + "/1");
      keys.gone("b" + turn);
      keys.gone("a" + turn);
    }
  }

  @Test
  void aRestartChangesNeitherKeysNorStarts() throws IOException {
    UsageKeys before = keys();
    key(before, "a");
    before.bound("b", WEB, 123.5);
    before.gone("a");
    before.save();
    UsageKeys after = keys();
    assertThat(after.bound("b", WEB, 999)).isEqualTo(new UsageKeys.Life("b", WEB, 1, 123.5));
  }

  @Test
  void podsThatEndedWhileNobodyWatchedAreForgotten() throws IOException {
    UsageKeys before = keys();
    key(before, "a");
    key(before, "b");
    before.save();
    UsageKeys after = keys();
    after.keepOnly(Set.of("b", "c"));
    assertThat(key(after, "c")).isEqualTo(WEB + "/0");
    assertThat(key(after, "b")).isEqualTo(WEB + "/1");
  }

  @Test
  void aFileThatIsNoneIsNamedWithWhatToDo() throws IOException {
    Files.writeString(folder.resolve("keys.json"), "[{\"uid\": 3");
    assertThatThrownBy(this::keys)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("keys.json holds no usage keys: remove it");
  }
}
