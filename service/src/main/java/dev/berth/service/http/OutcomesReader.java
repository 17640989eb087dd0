package dev.berth.service.http;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import dev.berth.policy.cluster.Pod;
import dev.berth.service.scoring.OutcomeEvent;
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

  private final int most;
  private final double now;
  private int clamped;

  /**
   * @param most events a batch may have
   * @param now epoch seconds; an event can hardly be later
   */
  OutcomesReader(int most, double now) {
    this.most = most;
    this.now = now;
  }

  /** Events whose time was moved to where it can be. */
  int clamped() {
    return clamped;
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
    List<OutcomeEvent> events = new ArrayList<>();
    boolean sawEvents = false;
    Json.begin(in, "the body");
    for (String field = in.nextFieldName(); field != null; field = in.nextFieldName()) {
      switch (field) {
        case "scheduler" -> Json.text(in, "scheduler");
        case "events" -> {
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
                      + " entries: send several batches, or raise server.max-events");
            }
            events.add(event(in, events.size()));
          }
        }
        default -> throw Json.unknown(field, "scheduler, events");
      }
    }
    if (!sawEvents) {
      throw Problem.badRequest("events is missing: send an array, empty if there are none");
    }
    return events;
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
    for (String field = in.nextFieldName(); field != null; field = in.nextFieldName()) {
      switch (field) {
        case "type" -> type = Json.text(in, path + ".type");
        case "at" -> at = Json.text(in, path + ".at");
        case "decision" -> decision = Json.text(in, path + ".decision");
        case "node" -> node = Json.text(in, path + ".node");
        case "uid" -> uid = Json.text(in, path + ".uid");
        case "pod" -> pod = PodReader.read(in);
        default -> throw Json.unknown(path + "." + field, "type, at, decision, node, uid, pod");
      }
    }
    Json.required(type, path + ".type");
    Json.required(at, path + ".at");
    if (uid == null) {
      uid = pod == null ? "" : pod.uid();
    }
    Json.required(uid, path + ".uid");
    try {
      return new OutcomeEvent(
          OutcomeEvent.Type.of(type), seconds(at, path), decision, uid, node, pod);
    } catch (IllegalArgumentException e) {
      throw Problem.badRequest(path + ": " + e.getMessage());
    }
  }

  private double seconds(String text, String path) {
    try {
      Instant at = OffsetDateTime.parse(text).toInstant();
      return clamp(at.getEpochSecond() + at.getNano() * 1e-9);
    } catch (DateTimeException e) {
      throw Problem.badRequest(
          path + ".at is '" + text + "', must be an RFC 3339 time such as 2026-11-21T05:00:00Z");
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
