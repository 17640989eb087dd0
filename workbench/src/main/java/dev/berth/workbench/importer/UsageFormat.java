package dev.berth.workbench.importer;

import dev.berth.policy.text.TextException;
import java.util.List;

/** A published format of recorded usage. */
interface UsageFormat {
  /** What to name on the command line. */
  String name();

  /** Where its files lie and how they are named. */
  String layout();

  /**
   * Whether a file is of this format, by its place and name; others below a folder are no matter.
   */
  boolean mine(SourceFile file);

  /**
   * What a file holds, in pieces without a gap.
   *
   * @throws TextException naming file, line and fix
   */
  List<Piece> read(SourceFile file, Scale scale);

  /**
   * What the units of a source stand for.
   *
   * @param stepSeconds from one value to the next
   * @param cores of a machine that a source gives percents of
   * @param bytes of memory of such a machine
   */
  record Scale(double stepSeconds, double cores, double bytes) {}

  /**
   * A stretch of a pod's record.
   *
   * @param from second of its beginning
   * @param cores {@code [steps]}
   * @param bytes {@code [steps]}, or empty
   * @param filled how many of the steps are no record but lie on the line between two that are
   */
  record Piece(String owner, String pod, double from, float[] cores, float[] bytes, int filled) {}
}
