package dev.berth.service.regret;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the choices of some time say.
 *
 * @param since RFC 3339, and so is {@code until}
 * @param oldest when the first of them was, RFC 3339: what was before is not kept; null of none
 * @param others pods that the other plugins placed: in shadow mode, outside a canary, without an
 *     opinion
 * @param berth pods that Berth's scores placed; there, too, other plugins may have wanted otherwise
 * @param days by UTC
 * @param owners those with the most pods
 * @param moreOwners how many others there are
 */
public record Report(
    String since,
    String until,
    @Nullable String oldest,
    Figures others,
    Figures berth,
    List<Line> days,
    List<Line> owners,
    long moreOwners,
    Advice advice) {

  /** The choices of a day or an owner, whoever placed the pods. */
  public record Line(String name, Figures figures) {}
}
