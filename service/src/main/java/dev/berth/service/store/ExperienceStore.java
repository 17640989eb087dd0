package dev.berth.service.store;

import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.Measured;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.RunningPod;
import dev.berth.service.scoring.Without;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Durable experience. Thread-safe; no method but the reads waits for the disk. */
public interface ExperienceStore extends AutoCloseable {

  /** Queues a decision. False when the queue is full: the record is dropped and counted. */
  boolean decided(DecisionRecord decision);

  /**
   * Queues a batch of outcomes, all or nothing, and brings the table of running pods up to date.
   *
   * @return completes once the batch is durable; exceptionally when it cannot be made so, and then
   *     the sender must send it again
   */
  CompletableFuture<Void> happened(List<OutcomeEvent> events);

  /** Queues measured rewards. False when the queue is full. */
  boolean rewarded(List<RewardRecord> rewards);

  /** Queues what nodes of placed pods used. False when the queue is full. */
  boolean measured(List<Measured> measured);

  /** Queues where the stock profile would have put a pod. False when the queue is full. */
  boolean reckoned(String decision, Without stock);

  /** Queues where a pod went against where Berth wanted it. False when the queue is full. */
  boolean chosen(Choice choice);

  /** Queues what was measured of choices. False when the queue is full. */
  boolean judged(List<Hindsight> judged);

  /** Forgets pods that ran when the last process stopped and that nobody has confirmed since. */
  CompletableFuture<Void> forget(List<String> podUids);

  /**
   * Pods that run, as far as committed events tell, in the order of their binding.
   *
   * @param most those that came last, where there are more
   */
  List<RunningPod> runningPods(int most);

  Optional<StoredDecision> decision(String id);

  /** Decisions of a pod by uid or {@code namespace/name}, newest first. */
  List<StoredDecision> decisionsOf(String pod, int limit);

  /** Decisions of all pods, newest first. */
  List<DecisionLine> newest(int limit);

  /** Decisions of an owner by {@code namespace/kind/name}, newest first. */
  List<StoredDecision> decisionsOfOwner(String owner, int limit);

  /** Decisions of all pods with all that is kept of them, newest first. */
  List<StoredDecision> decisions(int limit);

  /**
   * Reads choices in the order of their time, one by one: memory does not grow with their number.
   *
   * @param since seconds since the epoch
   */
  void choices(double since, Consumer<Choice> reader);

  /** Owners of those: as many as are asked for, the one with the most first. */
  ChoiceOwners choiceOwners(double since, int most);

  /** Records dropped because the queue was full. */
  long dropped();

  /** Records waiting for the writer. */
  int queued();

  /** Why nothing can be written at present; empty when all is well. */
  Optional<String> healthProblem();

  /** Writes what is queued, then closes. */
  @Override
  void close();
}
