package dev.berth.simulator.learning;

import dev.berth.policy.Decision;
import dev.berth.policy.agent.OnlineLearner;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.text.StrictJson;
import dev.berth.policy.text.TextException;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.simulator.experiment.RunEvent;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A recorded run of any policy ({@code berth simulate --record}), played again to a learner: the
 * same decisions, samples and ends fill its replay buffer, and nothing is simulated. Which node was
 * taken comes from the record; what it and the other candidates would have earned, from the samples
 * that follow.
 *
 * <p>Thread rule: one thread.
 */
final class RecordedRun {
  private final OnlineLearner learner;
  private final Map<String, Machine> nodes = new HashMap<>();
  private final Map<String, Pod> pods = new HashMap<>();
  private ClusterState state = new ClusterState(UsageConfig.DEFAULT);
  private long decisions;
  private int sinceStep;

  private static final class Machine {
    final RunEvent.NodeJoined shape;
    long cpuRequested;
    long memoryRequested;
    int count;

    Machine(RunEvent.NodeJoined shape) {
      this.shape = shape;
    }

    void add(Pod pod, int sign) {
      cpuRequested += sign * pod.cpuMilli();
      memoryRequested += sign * pod.memoryBytes();
      count += sign;
    }
  }

  private RecordedRun(OnlineLearner learner) {
    this.learner = learner;
  }

  /**
   * Plays a record to its end; returns its decisions.
   *
   * @throws TextException naming file and line of what is no such record
   */
  static long play(Path file, OnlineLearner learner) throws IOException {
    RecordedRun run = new RecordedRun(learner);
    try (BufferedReader in = Files.newBufferedReader(file)) {
      int number = 0;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        number++;
        String place = file + ":" + number;
        RunEvent event =
            StrictJson.read(line.getBytes(StandardCharsets.UTF_8), RunEvent.class, place);
        try {
          run.event(event);
        } catch (IllegalArgumentException e) {
          throw new TextException(place, 0, "", String.valueOf(e.getMessage()), e);
        }
      }
    }
    return run.decisions;
  }

  private void event(RunEvent event) {
    learn(learner.advance(event.at(), state));
    if (event instanceof RunEvent.Begin begin) {
      state =
          new ClusterState(
              UsageConfig.DEFAULT
                  .withDaySeconds(begin.daySeconds())
                  .withScrapeInterval(begin.scrapeSeconds()));
    } else if (event instanceof RunEvent.NodeJoined joined) {
      nodes.put(joined.node(), new Machine(joined));
    } else if (event instanceof RunEvent.NodeGone gone) {
      nodes.remove(gone.node());
      state.nodeGone(gone.node());
    } else if (event instanceof RunEvent.Bind bind) {
      bind(bind);
    } else if (event instanceof RunEvent.Gone gone) {
      Pod pod = pods.remove(gone.uid());
      if (pod != null) {
        machine(gone.node()).add(pod, -1);
        state.podGone(pod.uid(), gone.at());
      }
    } else if (event instanceof RunEvent.Sample sample) {
      state.sample(sample(sample), sample.at());
    }
  }

  private void bind(RunEvent.Bind bind) {
    Pod pod = Pod.of(bind.uid(), bind.owner(), bind.cpuMilli(), bind.memoryBytes());
    if (bind.scores() != null) {
      List<String> names = List.copyOf(bind.scores().keySet());
      decisions++;
      Decision decision = new Decision(bind.at(), pod, columns(names), state);
      state.deciding(decision.candidates(), bind.at());
      learner.decided(decision, names.indexOf(bind.node()));
      learn(learner.config().task().immediate() ? 1 : 0);
    }
    pods.put(pod.uid(), pod);
    machine(bind.node()).add(pod, 1);
    state.podBound(pod, bind.node(), bind.at());
  }

  private void learn(int settled) {
    sinceStep += settled;
    learner.train(sinceStep / learner.config().learning().trainFrequency());
    sinceStep %= learner.config().learning().trainFrequency();
  }

  private Candidates columns(List<String> names) {
    List<Machine> machines = names.stream().map(this::machine).toList();
    int n = names.size();
    String[] racks = new String[n];
    Arrays.fill(racks, "");
    return new Candidates(
        names.toArray(new String[0]),
        machines.stream().mapToLong(m -> m.shape.cpuMilli()).toArray(),
        machines.stream().mapToLong(m -> m.shape.memoryBytes()).toArray(),
        machines.stream().mapToInt(m -> m.shape.pods()).toArray(),
        machines.stream().mapToLong(m -> m.cpuRequested).toArray(),
        machines.stream().mapToLong(m -> m.memoryRequested).toArray(),
        machines.stream().mapToInt(m -> m.count).toArray(),
        new long[n],
        new long[n],
        new int[n],
        machines.stream().map(m -> m.shape.zone()).toArray(String[]::new),
        racks,
        null);
  }

  private Machine machine(String node) {
    Machine found = nodes.get(node);
    if (found == null) {
      throw new IllegalArgumentException("node " + node + " was not announced");
    }
    return found;
  }

  private static NodeSample sample(RunEvent.Sample s) {
    return new NodeSample(
        s.node(),
        s.windowStart(),
        s.windowEnd(),
        known(s.cpuCores()),
        known(s.memoryBytes()),
        known(s.connections()),
        known(s.latencyMillis()));
  }

  private static double known(@Nullable Double value) {
    return value == null ? Double.NaN : value;
  }
}
