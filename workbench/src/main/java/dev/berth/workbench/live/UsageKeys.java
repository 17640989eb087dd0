package dev.berth.workbench.live;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.simulator.usage.UsageModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * By what the usage of a pod is drawn: its owner and its ordinal there. Kubernetes gives pods new
 * uids in every run; by ordinal two runs of one list meet the same usage.
 *
 * <p>The i-th pod of an owner to be bound has ordinal i. Later ones take the lowest that is free,
 * so a pod that replaces another goes on with its usage, and only pods that live are remembered.
 *
 * <p>With a file, ordinals and starts outlive the process: what was written last holds after a
 * kill.
 *
 * <p>Thread rule: safe for many threads.
 */
final class UsageKeys {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * A pod that is bound.
   *
   * @param startedAt epoch seconds at which its usage began
   */
  record Life(String uid, String owner, int ordinal, double startedAt) {
    String key() {
      return UsageModel.podKey(owner, ordinal);
    }
  }

  private final @Nullable Path file;
  private final Map<String, Life> lives = new LinkedHashMap<>();
  private final Map<String, BitSet> taken = new HashMap<>();
  private boolean changed;

  /**
   * @param file where the keys are kept; null to keep them in memory only
   * @throws IOException naming the file, when it is there and cannot be read
   */
  UsageKeys(@Nullable Path file) throws IOException {
    this.file = file;
    if (file != null && Files.exists(file)) {
      try {
        for (Life life : JSON.readValue(file.toFile(), new TypeReference<List<Life>>() {})) {
          remember(life);
        }
      } catch (JacksonException e) {
        throw new IOException(
            file + " holds no usage keys: remove it, and pods that run draw new ones", e);
      }
    }
  }

  /** A pod is bound; the same answer each time while it lives. */
  synchronized Life bound(String uid, String owner, double startedAt) {
    Life known = lives.get(uid);
    if (known != null) {
      return known;
    }
    BitSet ordinals = taken.get(owner);
    int free = ordinals == null ? 0 : ordinals.nextClearBit(0);
    Life life = new Life(uid, owner, free, startedAt);
    remember(life);
    changed = true;
    return life;
  }

  /** A pod ended; its ordinal is free. Unknown pods are ignored. */
  synchronized void gone(String uid) {
    Life life = lives.remove(uid);
    if (life != null) {
      BitSet ordinals = taken.get(life.owner());
      if (ordinals != null) {
        ordinals.clear(life.ordinal());
        if (ordinals.isEmpty()) {
          taken.remove(life.owner());
        }
      }
      changed = true;
    }
  }

  /** Forgets the pods that ended while nobody watched. */
  synchronized void keepOnly(Set<String> uids) {
    List.copyOf(lives.keySet()).stream().filter(uid -> !uids.contains(uid)).forEach(this::gone);
  }

  /** Writes the file if something changed since the last time. */
  synchronized void save() throws IOException {
    if (changed && file != null) {
      Path temporary = file.resolveSibling(file.getFileName() + ".new");
      JSON.writeValue(temporary.toFile(), lives.values());
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }
    changed = false;
  }

  private void remember(Life life) {
    lives.put(life.uid(), life);
    taken.computeIfAbsent(life.owner(), o -> new BitSet()).set(life.ordinal());
  }
}
