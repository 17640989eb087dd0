package dev.berth.service.scoring;

/**
 * The draw by which something else than the best may come first, so that it is learned from.
 * Candidates are the sound ones, by their index.
 *
 * @param first the one that was put first, -1 if the best stayed there
 * @param propensity probability with which came first what did
 * @param near those that could have; fewer than two where nothing was drawn
 */
public record Draw(int first, double propensity, int[] near) {
  /** Nothing was drawn. */
  public static final Draw NONE = new Draw(-1, 1, new int[0]);
}
