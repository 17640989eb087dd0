package dev.berth.workbench.charts;

import java.awt.Color;

/** Colours that are told apart in grey, too, and by most colour-blind readers (Okabe and Ito). */
final class Palette {
  private static final Color[] COLORS = {
    new Color(0x0072B2), new Color(0xD55E00), new Color(0x009E73), new Color(0xCC79A7),
    new Color(0xE69F00), new Color(0x56B4E9), new Color(0x000000), new Color(0x999999)
  };

  private Palette() {}

  /** Of the line with a number; the ninth has the first one's again. */
  static Color of(int line) {
    return COLORS[line % COLORS.length];
  }
}
