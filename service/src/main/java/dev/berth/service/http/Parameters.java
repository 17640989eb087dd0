package dev.berth.service.http;

import io.javalin.http.Context;
import java.util.Set;
import java.util.regex.Pattern;

/** A parameter that nobody reads was meant for something: it is refused, not left unread. */
final class Parameters {
  private static final Pattern BAD_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

  private Parameters() {}

  /**
   * @param usage of those that are known, for whoever mistook one
   */
  static void refuseUnknown(Context ctx, Set<String> known, String usage) {
    String query = ctx.queryString();
    if (query != null && BAD_ESCAPE.matcher(query).find()) {
      throw Problem.badRequest(
          "the query is '" + query + "': a % must be followed by two hexadecimal digits");
    }
    ctx.queryParamMap()
        .forEach(
            (name, values) -> {
              if (!known.contains(name)) {
                throw Problem.badRequest("unknown parameter " + name + ": " + usage);
              }
              if (values.size() > 1) {
                throw Problem.badRequest("parameter " + name + " is there twice: leave one out");
              }
            });
  }
}
