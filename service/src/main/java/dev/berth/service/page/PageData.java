package dev.berth.service.page;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.NodeTable.KnownNode;
import dev.berth.service.scoring.SharedState;
import dev.berth.service.store.ExperienceStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The figures that the page draws, each made anew at most every two seconds. Thread-safe. */
public final class PageData {
  private static final String JSON = "application/json";
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final double KEPT_SECONDS = 2;
  private static final int DECISIONS = 60;

  private final SharedState shared;
  private final NodeTable nodes;
  private final Kept<Nodes> cluster;
  private final Kept<Body> decisions;

  private record Nodes(Body roster, Body loads) {}

  public PageData(SharedState shared, NodeTable nodes, ExperienceStore store) {
    this.shared = shared;
    this.nodes = nodes;
    cluster = new Kept<>(this::look);
    decisions =
        new Kept<>(
            () -> {
              try {
                return Body.of(
                    JSON, MAPPER.writeValueAsBytes(Map.of("decisions", store.newest(DECISIONS))));
              } catch (JsonProcessingException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  /** Who the nodes are. */
  public Body roster() {
    return cluster.get().roster();
  }

  /** What they carry, in the order of the roster that it names. */
  public Body loads() {
    return cluster.get().loads();
  }

  /** The newest decisions of all pods, newest first, without their candidates. */
  public Body decisions() {
    return decisions.get();
  }

  private Nodes look() {
    List<KnownNode> known = nodes.all();
    Body roster = json(out -> NodeRoster.write(known, out));
    NodeLoads loads = NodeLoads.of(known, shared);
    return new Nodes(roster, json(out -> loads.write(roster.etag().replace("\"", ""), out)));
  }

  private interface Writer {
    void write(JsonGenerator out) throws IOException;
  }

  private static Body json(Writer writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
      writer.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return Body.of(JSON, bytes.toByteArray());
  }

  /** A value that whoever asks first makes, and whoever asks within two seconds shares. */
  private final class Kept<T> {
    private final Supplier<T> make;
    private @Nullable T value;
    private double madeAt;

    Kept(Supplier<T> make) {
      this.make = make;
    }

    synchronized T get() {
      T known = value;
      double age = shared.now() - madeAt;
      if (known == null || age < 0 || age >= KEPT_SECONDS) {
        known = make.get();
        value = known;
        madeAt = shared.now();
      }
      return known;
    }
  }
}
