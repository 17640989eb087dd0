package dev.berth.policy.bookkeeping;

import dev.berth.policy.file.CheckedFile;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * What the books have learned, so that it outlives the process: of owners their ratio, time of day
 * and lifetime, of running pods what sets them apart, of nodes their overhead. Pods themselves and
 * samples are not in it (the experience store and Prometheus have them), nor are the correlations
 * between beliefs: those come back with the first samples.
 *
 * <p>Body of the {@link CheckedFile}: layout of the beliefs, time, owners, pods, nodes. At most
 * {@link #MOST_OWNERS} owners and {@link #MOST_PODS} pods, about 15 MB.
 *
 * <p>Thread rule: immutable; {@link Copy} and {@link #into} touch the books, so the books' owner
 * serialises them with everything else.
 */
public final class LearnedBooks {
  /** Owners seen last are kept. */
  public static final int MOST_OWNERS = 20_000;

  public static final int MOST_PODS = 200_000;

  private static final CheckedFile FILE =
      new CheckedFile("BERTHBKS", 3, "file of learned books", "start without it");

  private final String layout;
  private final double at;
  private final List<OwnerState> owners;
  private final List<PodState> pods;
  private final List<NodeState> nodes;

  /** Of one owner; covariance row-major. {@code lastSeen}: when it last had a pod. */
  record OwnerState(
      String name,
      double time,
      double lastSeen,
      double exposure,
      double ends,
      double excessPower,
      double[] mean,
      double[] covariance) {}

  record PodState(String uid, double mean, double variance) {}

  record NodeState(String name, double capacity, double overhead, double variance) {}

  private LearnedBooks(
      String layout,
      double at,
      List<OwnerState> owners,
      List<PodState> pods,
      List<NodeState> nodes) {
    this.layout = layout;
    this.at = at;
    this.owners = owners;
    this.pods = pods;
    this.nodes = nodes;
  }

  /** What the numbers of a belief stand for; another meaning must not be read back. */
  private static String layout(BookkeepingConfig c) {
    return "mean,"
        + OwnerModel.HARMONICS
        + " harmonics of "
        + c.daySeconds()
        + " s,excess; without "
        + c.without().stream().sorted().toList();
  }

  /** A copy in the making: in portions, so that nobody waits long for the books. */
  public static final class Copy {
    private final String layout;
    private final double at;
    private final String[] ownerNames;
    private final OwnerModel[] ownerModels;
    private final PodBook[] podBooks;
    private final NodeBook[] nodeBooks;
    private final List<OwnerState> owners = new ArrayList<>();
    private final List<PodState> pods = new ArrayList<>();
    private final List<NodeState> nodes = new ArrayList<>();
    private int done;

    /** Takes stock of what there is to copy. Touches the books. */
    public Copy(Bookkeeping books, double now) {
      layout = layout(books.config());
      at = now;
      ownerNames = books.owners().keySet().toArray(new String[0]);
      ownerModels = books.owners().values().toArray(new OwnerModel[0]);
      podBooks = books.pods().toArray(new PodBook[0]);
      nodeBooks = books.nodes().toArray(new NodeBook[0]);
    }

    /** Copies at most {@code most} entries; false when all is copied. Touches the books. */
    public boolean more(int most) {
      int all = ownerModels.length + podBooks.length + nodeBooks.length;
      for (int end = Math.min(all, done + most); done < end; done++) {
        int i = done;
        if (i < ownerModels.length) {
          owners.add(ownerModels[i].state(ownerNames[i], at));
        } else if (i < ownerModels.length + podBooks.length) {
          PodBook p = podBooks[i - ownerModels.length];
          if (pods.size() < MOST_PODS) {
            pods.add(new PodState(p.pod.uid(), p.deviation.mean[0], p.deviation.variance(0)));
          }
        } else {
          NodeBook n = nodeBooks[i - ownerModels.length - podBooks.length];
          // Nodes that left are not carried on: their names may never come back.
          if (!Double.isNaN(n.capacity) && !n.idle(at - Bookkeeping.NODE_IDLE_FOR)) {
            nodes.add(
                new NodeState(n.name, n.capacity, n.overhead.mean[0], n.overhead.variance(0)));
          }
        }
      }
      return done < all;
    }

    /** What was copied. */
    public LearnedBooks done() {
      owners.sort(Comparator.comparingDouble(OwnerState::lastSeen).reversed());
      List<OwnerState> kept = owners.subList(0, Math.min(MOST_OWNERS, owners.size()));
      return new LearnedBooks(layout, at, List.copyOf(kept), List.copyOf(pods), List.copyOf(nodes));
    }
  }

  /** Everything at once. */
  public static LearnedBooks of(Bookkeeping books, double now) {
    Copy copy = new Copy(books, now);
    copy.more(Integer.MAX_VALUE / 2);
    return copy.done();
  }

  public int owners() {
    return owners.size();
  }

  /** When it was copied, on the books' clock. */
  public double at() {
    return at;
  }

  /**
   * Takes up what was learned. The running pods must be bound already, and no sample taken in yet.
   *
   * @param now a time later than this counts as now, should the clock have gone back
   * @throws IllegalArgumentException when the books are set up for other beliefs
   */
  public void into(Bookkeeping books, double now) {
    if (!layout.equals(layout(books.config()))) {
      throw new IllegalArgumentException(
          "it holds beliefs [" + layout + "], this build has [" + layout(books.config()) + "]");
    }
    books.resume(owners, Math.min(at, now), now);
    pods.forEach(books::resume);
    nodes.forEach(books::resume);
  }

  public byte[] encode() {
    return FILE.encode(this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeUTF(layout);
    out.writeDouble(at);
    out.writeInt(owners.size());
    for (OwnerState o : owners) {
      out.writeUTF(o.name());
      write(out, o.time(), o.lastSeen(), o.exposure(), o.ends(), o.excessPower());
      out.writeInt(o.mean().length);
      write(out, o.mean());
      write(out, o.covariance());
    }
    out.writeInt(pods.size());
    for (PodState p : pods) {
      out.writeUTF(p.uid());
      write(out, p.mean(), p.variance());
    }
    out.writeInt(nodes.size());
    for (NodeState n : nodes) {
      out.writeUTF(n.name());
      write(out, n.capacity(), n.overhead(), n.variance());
    }
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws IllegalArgumentException saying what is wrong: something else, another format, damaged
   */
  public static LearnedBooks decode(byte[] bytes) {
    return FILE.decode(bytes, LearnedBooks::read);
  }

  private static LearnedBooks read(DataInputStream in) throws IOException {
    String layout = in.readUTF();
    double at = in.readDouble();
    List<OwnerState> owners = new ArrayList<>();
    for (int n = in.readInt(); n > 0; n--) {
      String name = in.readUTF();
      double[] counts = read(in, 5);
      int size = in.readInt();
      owners.add(
          new OwnerState(
              name,
              counts[0],
              counts[1],
              counts[2],
              counts[3],
              counts[4],
              read(in, size),
              read(in, size * size)));
    }
    List<PodState> pods = new ArrayList<>();
    for (int n = in.readInt(); n > 0; n--) {
      String uid = in.readUTF();
      double[] belief = read(in, 2);
      pods.add(new PodState(uid, belief[0], belief[1]));
    }
    List<NodeState> nodes = new ArrayList<>();
    for (int n = in.readInt(); n > 0; n--) {
      String name = in.readUTF();
      double[] belief = read(in, 3);
      nodes.add(new NodeState(name, belief[0], belief[1], belief[2]));
    }
    return new LearnedBooks(layout, at, owners, pods, nodes);
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
