package dev.berth.service.prometheus;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.berth.service.operator.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reads the answer to an instant query while it comes in: of its series, which may be hundreds of
 * thousands, none is held. Whether the answer is any good shows at its end, so a reader's caller
 * must be ready to forget what it was handed.
 */
final class VectorReader {
  private static final JsonFactory JSON = new JsonFactory();

  /** Of a text that goes into the log and to whoever asks whether the service is well. */
  private static final int MOST_CHARACTERS = 300;

  private static final int MOST_WARNINGS = 10;

  private final JsonParser in;
  private final Consumer<Series> each;
  private final List<String> warnings = new ArrayList<>();
  private String status = "";
  private String error = "no status 'success'";
  private String type = "nothing";
  private double evaluatedAt = Double.NaN;

  private VectorReader(JsonParser in, Consumer<Series> each) {
    this.in = in;
    this.each = each;
  }

  /**
   * @param each takes every series
   * @return all but the series
   * @throws QueryException when it is no answer, or not a vector
   */
  static QueryResult read(int http, InputStream body, Consumer<Series> each) throws IOException {
    try (JsonParser in = JSON.createParser(body)) {
      VectorReader reader = new VectorReader(in, each);
      if (in.nextToken() == JsonToken.START_OBJECT) {
        reader.answer();
      }
      return reader.result(http);
    } catch (JsonProcessingException e) {
      throw new QueryException("HTTP " + http + " with a body that is not JSON", http >= 500);
    }
  }

  private QueryResult result(int http) {
    if (!status.equals("success")) {
      throw new QueryException("HTTP " + http + ": " + error, http >= 500);
    }
    if (!type.equals("vector")) {
      throw new QueryException("the query gives a " + type + ", not a vector", false);
    }
    return new QueryResult(List.of(), evaluatedAt, warnings);
  }

  private void answer() throws IOException {
    for (String field = in.nextFieldName(); field != null; field = in.nextFieldName()) {
      in.nextToken();
      switch (field) {
        case "status" -> status = in.getValueAsString("");
        case "error" -> error = shortened(in.getValueAsString(error));
        case "warnings" -> elements(this::warning);
        case "data" -> data();
        default -> in.skipChildren();
      }
    }
  }

  private void warning() throws IOException {
    if (warnings.size() < MOST_WARNINGS) {
      warnings.add(shortened(in.getValueAsString("")));
    }
  }

  private static String shortened(String text) {
    return Printable.text(text, MOST_CHARACTERS);
  }

  private void data() throws IOException {
    if (!in.isExpectedStartObjectToken()) {
      return;
    }
    for (String field = in.nextFieldName(); field != null; field = in.nextFieldName()) {
      in.nextToken();
      switch (field) {
        case "resultType" -> type = shortened(in.getValueAsString(type));
        case "result" -> elements(this::series);
        default -> in.skipChildren();
      }
    }
  }

  /** Something to be read where the parser stands. */
  @FunctionalInterface
  private interface Element {
    void read() throws IOException;
  }

  private void elements(Element element) throws IOException {
    if (in.isExpectedStartArrayToken()) {
      while (in.nextToken() != JsonToken.END_ARRAY) {
        element.read();
        in.skipChildren();
      }
    } else {
      in.skipChildren();
    }
  }

  private void series() throws IOException {
    if (!in.isExpectedStartObjectToken()) {
      return; // an element of something else than a vector
    }
    Map<String, String> labels = new HashMap<>();
    double value = Double.NaN;
    for (String field = in.nextFieldName(); field != null; field = in.nextFieldName()) {
      in.nextToken();
      switch (field) {
        case "metric" -> labels(labels);
        case "value" -> value = value();
        default -> in.skipChildren();
      }
    }
    each.accept(new Series(labels, value));
  }

  private void labels(Map<String, String> labels) throws IOException {
    if (in.isExpectedStartObjectToken()) {
      for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
        in.nextToken();
        labels.put(name, in.getValueAsString(""));
        in.skipChildren();
      }
    }
  }

  /** A pair of time and value. */
  private double value() throws IOException {
    List<String> pair = new ArrayList<>(2);
    elements(() -> pair.add(in.getValueAsString("")));
    if (pair.size() != 2) {
      return Double.NaN;
    }
    evaluatedAt = number(pair.get(0));
    return number(pair.get(1));
  }

  /** Prometheus writes numbers as text, with {@code NaN}, {@code +Inf} and {@code -Inf}. */
  private static double number(String text) {
    return switch (text) {
      case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> {
        try {
          yield Double.parseDouble(text);
        } catch (NumberFormatException e) {
          yield Double.NaN;
        }
      }
    };
  }
}
