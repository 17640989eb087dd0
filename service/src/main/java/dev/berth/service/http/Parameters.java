package dev.berth.service.http;

import io.javalin.http.Context;
import java.util.Set;

/** A parameter that nobody reads was meant for something: it is refused, not left unread. */
final class Parameters {
  private Parameters() {}

  /**
   * @param usage of those that are known, for whoever mistook one
   */
  static void refuseUnknown(Context ctx, Set<String> known, String usage) {
    for (String name : ctx.queryParamMap().keySet()) {
      if (!known.contains(name)) {
        throw Problem.badRequest("unknown parameter " + name + ": " + usage);
      }
    }
  }
}
