package dev.berth.service.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;

/** Strict reading of single values; a mistake names the field. */
final class Json {
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(16).build())
          .build();

  /** For answers that people read. */
  static final ObjectMapper READABLE =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  static final ObjectMapper COMPACT = new ObjectMapper();

  private Json() {}

  static void begin(JsonParser in, String name) throws IOException {
    if (in.nextToken() != JsonToken.START_OBJECT) {
      throw Columns.wrong(in, name, "an object");
    }
  }

  /** A second object would be acknowledged and lost. */
  static void end(JsonParser in) throws IOException {
    if (in.nextToken() != null) {
      throw Columns.wrong(in, "the body", "one object and nothing after it");
    }
  }

  static String text(JsonParser in, String name) throws IOException {
    if (in.nextToken() != JsonToken.VALUE_STRING) {
      throw Columns.wrong(in, name, "a string");
    }
    return Limits.text(in.getText(), name);
  }

  static long number(JsonParser in, String name, long min) throws IOException {
    if (in.nextToken() != JsonToken.VALUE_NUMBER_INT) {
      throw Columns.wrong(in, name, "a whole number");
    }
    long value = in.getLongValue();
    if (value < min) {
      throw Problem.badRequest(name + " is " + value + ", must be " + min + " or more");
    }
    return value;
  }

  static void required(String value, String name) {
    if (value.isEmpty()) {
      throw Problem.badRequest(name + " is missing: every request names it");
    }
  }

  static Problem unknown(String field, String known) {
    return Problem.badRequest("unknown field " + field + ": the fields there are " + known);
  }
}
