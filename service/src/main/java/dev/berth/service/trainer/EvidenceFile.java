package dev.berth.service.trainer;

import dev.berth.policy.agent.PromotionGate;
import dev.berth.policy.evidence.Looks;
import dev.berth.service.registry.AtomicFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What placements said so far of the versions that serve, in a file, so that a trial goes on after
 * a restart. One thread, but for {@link #healthProblem}.
 */
final class EvidenceFile {
  private static final Logger log = LoggerFactory.getLogger(EvidenceFile.class);
  private static final int FORMAT = 0x42455601;

  private final Path file;
  private byte[] written = new byte[0];
  private volatile @Nullable String healthProblem;

  EvidenceFile(Path file) {
    this.file = file;
  }

  /**
   * What is kept.
   *
   * @param looks of the promotion gate
   * @param trial null when there is none
   */
  record Kept(Looks looks, Watch watch, @Nullable LiveTrial trial) {}

  /** What was kept; empty when there is none or it cannot be used, and evidence begins anew. */
  Optional<Kept> read() {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try (DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
      if (in.readInt() != FORMAT) {
        throw new IOException("it is of another release or no such file");
      }
      Looks looks = PromotionGate.looks();
      looks.resume(in);
      Watch watch = Watch.read(in);
      return Optional.of(new Kept(looks, watch, in.readBoolean() ? LiveTrial.read(in) : null));
    } catch (IOException e) {
      log.warn("{} is not used, evidence on models begins anew: {}", file, e.toString());
      return Optional.empty();
    }
  }

  /** Writes what is new. A disk that is full is no reason to stop learning. */
  void write(Kept kept) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeInt(FORMAT);
      kept.looks().write(out);
      kept.watch().write(out);
      LiveTrial trial = kept.trial();
      out.writeBoolean(trial != null);
      if (trial != null) {
        trial.write(out);
      }
      if (!Arrays.equals(bytes.toByteArray(), written)) {
        AtomicFile.write(file, bytes.toByteArray());
        written = bytes.toByteArray();
      }
      healthProblem = null;
    } catch (IOException e) {
      if (healthProblem == null) {
        log.error("the evidence on models cannot be written to {}", file, e);
      }
      healthProblem = "the evidence on models cannot be written to " + file + ": " + e;
    }
  }

  /** Why nothing can be written at present; empty when all is well. */
  Optional<String> healthProblem() {
    return Optional.ofNullable(healthProblem);
  }
}
