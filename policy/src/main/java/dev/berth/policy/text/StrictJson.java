package dev.berth.policy.text;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * JSON that Berth itself writes, read into records. Unknown fields, fields given twice, and values
 * of another type are refused; so is a field that is missing or null, unless its component says
 * {@code @JsonProperty(required = false)}.
 */
public final class StrictJson {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .annotationIntrospector(new RequiredUnlessSaid())
          .build();

  private static final JsonMapper READABLE =
      JSON.rebuild().enable(SerializationFeature.INDENT_OUTPUT).build();

  static {
    JSON.getFactory()
        .setStreamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(16).build());
  }

  private StrictJson() {}

  private static final class RequiredUnlessSaid extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable Boolean hasRequiredMarker(AnnotatedMember member) {
      JsonProperty said = member.getAnnotation(JsonProperty.class);
      return said == null || said.required();
    }
  }

  /**
   * @param source named in errors, such as the file
   * @throws TextException with source, line, field and what is wrong with it
   */
  public static <T> T read(byte[] json, Class<T> type, String source) {
    try {
      T value = JSON.readValue(json, type);
      if (value == null) {
        throw new TextException(source, 0, "", "null, need an object", null);
      }
      return value;
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      throw new TextException(
          source, at == null ? 0 : Math.max(0, at.getLineNr()), field(e), what(e), e);
    } catch (IOException e) {
      throw new TextException(source, 0, "", "no JSON: " + e.getMessage(), e);
    }
  }

  private static String field(JsonProcessingException e) {
    return e instanceof JsonMappingException mapping
        ? mapping.getPath().stream()
            .map(r -> r.getFieldName() == null ? "[" + r.getIndex() + "]" : r.getFieldName())
            .collect(Collectors.joining("."))
        : "";
  }

  private static String what(JsonProcessingException e) {
    return String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("no JSON");
  }

  /** On lines of its own, for files that people look into. */
  public static byte[] readable(Object value) {
    return write(READABLE, value);
  }

  /** In one line. */
  public static byte[] compact(Object value) {
    return write(JSON, value);
  }

  private static byte[] write(JsonMapper mapper, Object value) {
    try {
      return mapper.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("cannot write " + value.getClass().getSimpleName(), e);
    }
  }
}
