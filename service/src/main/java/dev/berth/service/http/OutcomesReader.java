package dev.berth.service.http;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import dev.berth.policy.cluster.Pod;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.Without;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a batch of outcome events. Not thread-safe: one per request. */
final class OutcomesReader {
  /** Clocks of a cluster that keeps time differ by less. */
  private static final double AHEAD_SECONDS = 5;

  /** Of a hundred score plugins with a weight of a million each. */
  private static final long MAX_SUM = 10_000_000_000L;

  private static final String FIELDS = "scheduler, sentAt, events";

  private final int most;
  private final double now;
  private final SenderClocks clocks;

  /** By the sender's clock, NaN where it does not tell. */
  private double sentAt = Double.NaN;

  /** Seconds that this machine's clock is ahead of the sender's. */
  private double ahead;

  private String scheduler = "";
  private boolean sawEvents;
  private final List<OutcomeEvent> events = new ArrayList<>();
  private int clamped;

  /**
   * @param most events a batch may have
   * @param now epoch seconds; an event can hardly be later
   */
  OutcomesReader(int most, double now, SenderClocks clocks) {
    this.most = most;
    this.now = now;
    this.clocks = clocks;
  }

  /** Events whose time was moved to where it can be. */
  int clamped() {
    return clamped;
  }

  /** Who sent the batch; empty where it does not say. */
  String scheduler() {
    return scheduler;
  }

  /**
   * Seconds that this machine's clock is ahead of the sender's; 0 where it does not tell its time.
   */
  double ahead() {
    return ahead;
  }

  List<OutcomeEvent> read(byte[] body, int length) {
    try (JsonParser in = Json.FACTORY.createParser(body, 0, length)) {
      return batch(in);
    } catch (InputCoercionException | JsonParseException e) {
      throw Problem.badRequest("the body is not valid JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw Problem.badRequest("the body cannot be read: " + e.getMessage());
    }
  }

  private List<OutcomeEvent> batch(JsonParser in) throws IOException {
    Json.begin(in, "the body");
    for (String field = in.nextFieldName(); field != null; field = in.nextFieldName()) {
      switch (field) {
        case "scheduler" -> scheduler = Json.text(in, "scheduler");
        case "sentAt" -> sentAt(in);
        case "events" -> events(in);
        default -> throw Json.unknown(field, FIELDS);
      }
    }
    Json.end(in);
    if (!sawEvents) {
      throw Problem.badRequest("events is missing: send an array, empty if there are none");
    }
    return onThisClock(scheduler);
  }

  /** Reads the array that comes next. */
  void events(JsonParser in) throws IOException {
    sawEvents = true;
    if (in.nextToken() != JsonToken.START_ARRAY) {
      throw Columns.wrong(in, "events", "an array");
    }
    while (in.nextToken() != JsonToken.END_ARRAY) {
      if (events.size() == most) {
        throw new Problem(
            413,
            "Content too large",
            "events has more than "
                + most
                + " entries: "
                + (most == Limits.NEWS
                    ? "send the newest"
                    : "send several batches, or raise server.max-events"));
      }
      events.add(event(in, events.size()));
    }
  }

  /** Reads the sender's time that comes next. */
  void sentAt(JsonParser in) throws IOException {
    sentAt = seconds(Json.text(in, "sentAt"), "sentAt");
  }

  /** What was read, as part of a score request of some sender. */
  List<OutcomeEvent> reservations(String sender) {
    for (int i = 0; i < events.size(); i++) {
      OutcomeEvent.Type type = events.get(i).type();
      if (type != OutcomeEvent.Type.RESERVED && type != OutcomeEvent.Type.UNRESERVED) {
        throw Problem.badRequest(
            "events[%d].type is %s: a score request carries reserved and unreserved only"
                .formatted(i, type.wireName()));
      }
    }
    return onThisClock(sender);
  }

  /** Samples are dated by this machine's clock; what is held against them must be, too. */
  private List<OutcomeEvent> onThisClock(String sender) {
    ahead = Double.isNaN(sentAt) ? 0 : clocks.ahead(sender, sentAt, now);
    return events.stream().map(e -> e.at(clamp(e.at() + ahead))).toList();
  }

  private OutcomeEvent event(JsonParser in, int index) throws IOException {
    String path = "events[" + index + "]";
    if (in.currentToken() != JsonToken.START_OBJECT) {
      throw Columns.wrong(in, path, "an object");
    }
    String type = "";
    String at = "";
    @Nullable String decision = null;
    @Nullable String node = null;
    @Nullable String uid = null;
    @Nullable Pod pod = null;
    @Nullable Without without = null;
    for (String field = in.nextFieldName(); field != null; field = in.nextFieldName()) {
      switch (field) {
        case "type" -> type = Json.text(in, path + ".type");
        case "at" -> at = Json.text(in, path + ".at");
        case "decision" -> decision = Json.text(in, path + ".decision");
        case "node" -> {
          String name = Json.text(in, path + ".node");
          node = name.isEmpty() ? null : name;
        }
        case "uid" -> uid = Json.text(in, path + ".uid");
        case "pod" -> pod = PodReader.read(in);
        case "without" -> without = without(in, path + ".without");
        default ->
            throw Json.unknown(path + "." + field, "type, at, decision, node, uid, pod, without");
      }
    }
    Json.required(type, path + ".type");
    Json.required(at, path + ".at");
    if (uid == null) {
      uid = pod == null ? "" : pod.uid();
    } else if (pod != null && !pod.uid().equals(uid)) { // it would place one pod and end another
      throw Problem.badRequest(
          path + ".uid is '" + uid + "' and its pod's '" + pod.uid() + "': leave one out");
    }
    Json.required(uid, path + ".uid");
    try {
      return new OutcomeEvent(
          OutcomeEvent.Type.of(type), seconds(at, path + ".at"), decision, uid, node, pod, without);
    } catch (IllegalArgumentException e) {
      throw Problem.badRequest(path + ": " + e.getMessage());
    }
  }

  private static Without without(JsonParser in, String path) throws IOException {
    Json.begin(in, path);
    String node = "";
    long sum = 0;
    long here = 0;
    long ties = 1;
    for (String field = in.nextFieldName(); field != null; field = in.nextFieldName()) {
      String name = path + "." + field;
      switch (field) {
        case "node" -> node = Json.text(in, name);
        case "sum" -> sum = Limits.most(Json.number(in, name, 0), MAX_SUM, name);
        case "here" -> here = Limits.most(Json.number(in, name, 0), MAX_SUM, name);
        case "ties" -> ties = Limits.most(Json.number(in, name, 1), Integer.MAX_VALUE, name);
        default -> throw Json.unknown(name, "node, sum, here, ties");
      }
    }
    Json.required(node, path + ".node");
    return new Without(node, sum, here, (int) ties);
  }

  private double seconds(String text, String path) {
    try {
      Instant at = OffsetDateTime.parse(text).toInstant();
      return at.getEpochSecond() + at.getNano() * 1e-9;
    } catch (DateTimeException e) {
      throw Problem.badRequest(
          path + " is '" + text + "', must be an RFC 3339 time such as 2026-11-21T05:00:00Z");
    }
  }

  /** A time that cannot be would move the clock of everything that is learned. */
  private double clamp(double at) {
    boolean late = at > now + AHEAD_SECONDS;
    if (!late && at >= Limits.EARLIEST) {
      return at;
    }
    clamped++;
    return late ? now : Limits.EARLIEST;
  }
}
