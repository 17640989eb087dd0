package dev.berth.service.scoring;

import dev.berth.policy.cluster.Pod;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Running pods by their names, as series of Prometheus know them. A name may be had by one pod
 * after another (those of a StatefulSet are): the one that came last has it. Thread-safe.
 */
public final class PodNames {

  /** A pod on its node. */
  public record Named(String uid, String node) {}

  private final Map<String, Named> byName = new ConcurrentHashMap<>();
  private final Map<String, String> nameOf = new ConcurrentHashMap<>();

  void placed(Pod pod, String node) {
    String name = key(pod.namespace(), pod.name());
    String former = nameOf.put(pod.uid(), name);
    if (!name.equals(former)) {
      release(former, pod.uid());
    }
    byName.put(name, new Named(pod.uid(), node));
  }

  void left(String uid) {
    release(nameOf.remove(uid), uid);
  }

  private void release(@Nullable String name, String uid) {
    if (name != null) {
      byName.computeIfPresent(name, (n, named) -> named.uid().equals(uid) ? null : named);
    }
  }

  /** The pod that has the name now; null when none is known. */
  public @Nullable Named named(String namespace, String name) {
    return byName.get(key(namespace, name));
  }

  /** Neither may hold a slash. */
  private static String key(String namespace, String name) {
    return namespace + "/" + name;
  }
}
