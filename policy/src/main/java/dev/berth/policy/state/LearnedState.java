package dev.berth.policy.state;

import dev.berth.policy.file.CheckedFile;
import dev.berth.policy.ledger.PodState;
import dev.berth.policy.usage.OwnerModel;
import dev.berth.policy.usage.UsageConfig;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * What was learned of the cluster, so that it outlives the process: of owners their ratio, time of
 * day and lifetime, of running pods what sets them apart, of nodes their overhead and speed. Pods
 * themselves and samples are not in it (the experience store and Prometheus have them), nor are the
 * correlations between estimates and what only samples of pods tell, an owner's spread and memory:
 * those come back with the first samples.
 *
 * <p>Body of the {@link CheckedFile}: layout of the estimates, time, owners, pods, nodes. At most
 * {@link #MAX_OWNERS} owners and {@link #MAX_PODS} pods, about 15 MB.
 *
 * <p>Thread rule: immutable; {@link Copy} and {@link #into} touch the cluster state, so its owner
 * serialises them with everything else.
 */
public final class LearnedState {
  /** Owners seen last are kept. */
  public static final int MAX_OWNERS = 20_000;

  public static final int MAX_PODS = 200_000;

  private static final CheckedFile FILE =
      new CheckedFile("BERTHBKS", 4, "file of what was learned of owners", "start without it");

  private final String layout;
  private final double at;
  private final List<OwnerRecord> owners;
  private final List<PodRecord> pods;
  private final List<NodeRecord> nodes;

  record OwnerRecord(String name, OwnerModel.Snapshot model) {}

  record PodRecord(String uid, double mean, double variance) {}

  record NodeRecord(
      String name,
      double capacity,
      double overhead,
      double overheadVariance,
      double slowness,
      double slownessVariance) {}

  private LearnedState(
      String layout,
      double at,
      List<OwnerRecord> owners,
      List<PodRecord> pods,
      List<NodeRecord> nodes) {
    this.layout = layout;
    this.at = at;
    this.owners = owners;
    this.pods = pods;
    this.nodes = nodes;
  }

  /** What the numbers of an estimate stand for; another meaning must not be read back. */
  private static String layout(UsageConfig c) {
    return "mean,"
        + OwnerModel.HARMONICS
        + " harmonics of "
        + c.daySeconds()
        + " s,excess; without "
        + c.without().stream().sorted().toList();
  }

  /** A copy in the making: in portions, so that nobody waits long for the cluster state. */
  public static final class Copy {
    private final String layout;
    private final double at;
    private final String[] ownerNames;
    private final OwnerModel[] ownerModels;
    private final PodState[] podStates;
    private final NodeState[] nodeStates;
    private final List<OwnerRecord> owners = new ArrayList<>();
    private final List<PodRecord> pods = new ArrayList<>();
    private final List<NodeRecord> nodes = new ArrayList<>();
    private int done;

    /** Takes stock of what there is to copy. Touches the cluster state. */
    public Copy(ClusterState state, double now) {
      layout = layout(state.config());
      at = now;
      ownerNames = state.owners().keySet().toArray(new String[0]);
      ownerModels = state.owners().values().toArray(new OwnerModel[0]);
      podStates = state.pods().toArray(PodState[]::new);
      nodeStates = state.nodes().toArray(new NodeState[0]);
    }

    /** Copies at most {@code most} entries; false when all is copied. Touches the cluster state. */
    public boolean more(int most) {
      int all = ownerModels.length + podStates.length + nodeStates.length;
      for (int end = Math.min(all, done + most); done < end; done++) {
        int i = done;
        if (i < ownerModels.length) {
          owners.add(new OwnerRecord(ownerNames[i], ownerModels[i].snapshot(at)));
        } else if (i < ownerModels.length + podStates.length) {
          PodState p = podStates[i - ownerModels.length];
          if (pods.size() < MAX_PODS) {
            pods.add(new PodRecord(p.pod().uid(), p.deviation().mean(), p.deviation().variance()));
          }
        } else {
          NodeState n = nodeStates[i - ownerModels.length - podStates.length];
          // Nodes that left are not carried on: their names may never come back.
          if (!Double.isNaN(n.capacity) && !n.idle(at - ClusterState.NODE_IDLE_FOR)) {
            nodes.add(
                new NodeRecord(
                    n.name,
                    n.capacity,
                    n.overhead.mean(),
                    n.overhead.variance(),
                    n.slowness.mean(),
                    n.slowness.variance()));
          }
        }
      }
      return done < all;
    }

    /** What was copied. */
    public LearnedState done() {
      owners.sort(Comparator.comparingDouble((OwnerRecord o) -> o.model().lastSeen()).reversed());
      List<OwnerRecord> kept = owners.subList(0, Math.min(MAX_OWNERS, owners.size()));
      return new LearnedState(layout, at, List.copyOf(kept), List.copyOf(pods), List.copyOf(nodes));
    }
  }

  /** Everything at once. */
  public static LearnedState of(ClusterState state, double now) {
    Copy copy = new Copy(state, now);
    copy.more(Integer.MAX_VALUE / 2);
    return copy.done();
  }

  public int owners() {
    return owners.size();
  }

  /** When it was copied, on the cluster state's clock. */
  public double at() {
    return at;
  }

  /**
   * Takes up what was learned. The running pods must be bound already, and no sample taken in yet.
   *
   * @param now a time later than this counts as now, should the clock have gone back
   * @throws IllegalArgumentException when the cluster state is set up for other estimates
   */
  public void into(ClusterState state, double now) {
    if (!layout.equals(layout(state.config()))) {
      throw new IllegalArgumentException(
          "it holds estimates of ["
              + layout
              + "], this build has ["
              + layout(state.config())
              + "]");
    }
    state.restoreOwners(owners, Math.min(at, now), now);
    pods.forEach(state::restorePod);
    nodes.forEach(state::restoreNode);
  }

  public byte[] encode() {
    return FILE.encode(this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeUTF(layout);
    out.writeDouble(at);
    out.writeInt(owners.size());
    for (OwnerRecord r : owners) {
      OwnerModel.Snapshot o = r.model();
      out.writeUTF(r.name());
      write(out, o.time(), o.lastSeen(), o.exposure(), o.ends(), o.excessPower());
      out.writeInt(o.mean().length);
      write(out, o.mean());
      write(out, o.covariance());
    }
    out.writeInt(pods.size());
    for (PodRecord p : pods) {
      out.writeUTF(p.uid());
      write(out, p.mean(), p.variance());
    }
    out.writeInt(nodes.size());
    for (NodeRecord n : nodes) {
      out.writeUTF(n.name());
      write(
          out,
          n.capacity(),
          n.overhead(),
          n.overheadVariance(),
          n.slowness(),
          n.slownessVariance());
    }
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws IllegalArgumentException saying what is wrong: something else, another format, damaged
   */
  public static LearnedState decode(byte[] bytes) {
    return FILE.decode(bytes, LearnedState::read);
  }

  private static LearnedState read(DataInputStream in) throws IOException {
    String layout = in.readUTF();
    double at = in.readDouble();
    List<OwnerRecord> owners = new ArrayList<>();
    for (int n = in.readInt(); n > 0; n--) {
      String name = in.readUTF();
      double[] counts = read(in, 5);
      int size = in.readInt();
      if (size < 0 || size > OwnerModel.MAX_STATE) {
        throw new IllegalArgumentException(
            "it has an estimate of %d numbers, at most %d fit"
                .formatted(size, OwnerModel.MAX_STATE));
      }
      owners.add(
          new OwnerRecord(
              name,
              new OwnerModel.Snapshot(
                  counts[0],
                  counts[1],
                  counts[2],
                  counts[3],
                  counts[4],
                  read(in, size),
                  read(in, size * size))));
    }
    List<PodRecord> pods = new ArrayList<>();
    for (int n = in.readInt(); n > 0; n--) {
      String uid = in.readUTF();
      double[] estimate = read(in, 2);
      pods.add(new PodRecord(uid, estimate[0], estimate[1]));
    }
    List<NodeRecord> nodes = new ArrayList<>();
    for (int n = in.readInt(); n > 0; n--) {
      String name = in.readUTF();
      double[] of = read(in, 5);
      nodes.add(new NodeRecord(name, of[0], of[1], of[2], of[3], of[4]));
    }
    return new LearnedState(layout, at, owners, pods, nodes);
  }

  private static void write(DataOutputStream out, double... values) throws IOException {
    for (double v : values) {
      out.writeDouble(v);
    }
  }

  /** What is not finite would spread into every forecast. */
  private static double[] read(DataInputStream in, int count) throws IOException {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = in.readDouble();
    }
    if (!Arrays.stream(values).allMatch(Double::isFinite)) {
      throw new IllegalArgumentException("it has numbers that are not finite");
    }
    return values;
  }
}
