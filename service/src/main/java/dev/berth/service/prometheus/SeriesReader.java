package dev.berth.service.prometheus;

import java.util.function.Consumer;

/** Takes in an answer while it is read, and keeps of it what is of use. */
interface SeriesReader extends Consumer<Series> {
  /** How many series there were. */
  int size();

  /** How many of them were left out, for there were too many. */
  int leftOut();
}
