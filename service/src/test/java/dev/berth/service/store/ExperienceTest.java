package dev.berth.service.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperienceTest {

  /** Ten decisions a second apart; the last four by model 2; all bound but the ninth. */
  private static Path store(Path folder) throws Exception {
    Path file = folder.resolve("experience.db");
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement sql = db.createStatement()) {
      sql.execute("CREATE TABLE decisions (id TEXT PRIMARY KEY, at REAL, model_version INTEGER)");
      sql.execute("CREATE TABLE outcomes (type TEXT, decision TEXT)");
      sql.execute("CREATE TABLE rewards (decision TEXT PRIMARY KEY, at REAL, reward REAL)");
      for (int i = 0; i < 10; i++) {
        String id = "'d" + i + "'";
        sql.execute("INSERT INTO decisions VALUES (" + id + "," + i + "," + (i < 6 ? 1 : 2) + ")");
        sql.execute("INSERT INTO outcomes VALUES ('reserved'," + id + ")");
        sql.execute(
            "INSERT INTO outcomes VALUES ('" + (i == 8 ? "unreserved" : "bound") + "'," + id + ")");
        sql.execute("INSERT INTO rewards VALUES (" + id + "," + (i + 60) + "," + i + ")");
      }
    }
    return file;
  }

  @Test
  void countsBoundDecisionsByVersionAndMeasuredRewards(@TempDir Path folder) throws Exception {
    Experience experience = Experience.read(store(folder), 0);
    assertThat(experience.modelVersions()).containsExactly(1L, 2L);
    assertThat(experience.decisions()).isEqualTo(9);
    assertThat(experience.servedByNewModel()).isEqualTo(3);
    assertThat(experience.transitions()).isEqualTo(10);
    assertThat(experience.rewardTrend()).containsExactly(0.5, 2.5, 4.5, 6.5, 8.5);
  }

  @Test
  void leavesOutWhatWasDecidedBefore(@TempDir Path folder) throws Exception {
    Experience experience = Experience.read(store(folder), 7);
    assertThat(experience.modelVersions()).containsExactly(2L);
    assertThat(experience.servedByNewModel()).isZero();
    assertThat(experience.transitions()).isEqualTo(3);
    assertThat(experience.rewardTrend()).isEmpty();
  }

  @Test
  void aFolderMayHaveAnyName(@TempDir Path folder) throws Exception {
    Path odd = Files.createDirectory(folder.resolve("50%25 #1"));
    assertThat(Experience.read(store(odd), 0).decisions()).isEqualTo(9);
  }
}
