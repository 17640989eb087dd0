package dev.berth.service.operator;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cluster, as the caller's kubectl reaches it. */
public interface Kubectl {

  /**
   * Runs one command and waits for it, for a bounded time.
   *
   * @param input for its standard input, null for none
   * @param arguments after those that name the cluster
   */
  Answer run(@Nullable String input, List<String> arguments);

  /** Without input. */
  default Answer run(String... arguments) {
    return run(null, List.of(arguments));
  }

  /**
   * What came of it.
   *
   * @param exit 0 when all went well
   */
  record Answer(int exit, String out, String error) {
    public boolean fine() {
      return exit == 0;
    }

    /** What went wrong, in the words of the API server where it said any. */
    public String problem() {
      String text = error.isBlank() ? out : error;
      return text.strip().replaceFirst("^Error from server (\\(\\w+\\))?:? ?", "");
    }
  }
}
