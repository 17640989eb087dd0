package dev.berth.workbench.console;

import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * How far a long command is, on standard error: a bar that redraws itself on a terminal; in a file,
 * a pipe or a pod's log a plain line now and then, without carriage returns. Thread-safe.
 */
public final class Progress implements AutoCloseable {
  private static final int WIDTH = 110;
  private static final int REDRAW_MILLIS = 1_000;
  private static final int LINE_MILLIS = 10_000;

  private final ProgressBar bar;

  private Progress(ProgressBar bar) {
    this.bar = bar;
  }

  /**
   * @param total steps of the whole task, see {@link #total}
   */
  public static Progress of(String task, long total) {
    return of(task, total, System.err, System.console() != null, Charset.defaultCharset());
  }

  static Progress of(String task, long total, PrintStream err, boolean terminal, Charset charset) {
    ProgressBarBuilder bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(total)
            .setMaxRenderedLength(WIDTH)
            .setUpdateIntervalMillis(terminal ? REDRAW_MILLIS : LINE_MILLIS);
    if (!terminal || !charset.equals(StandardCharsets.UTF_8)) {
      bar.setStyle(ProgressBarStyle.ASCII);
    }
    if (!terminal) {
      bar.setConsumer(new DelegatingProgressBarConsumer(err::println, WIDTH));
    }
    return new Progress(bar.build());
  }

  /** Corrects the number of steps of the whole task. */
  public void total(long steps) {
    bar.maxHint(steps);
  }

  public void step() {
    bar.step();
  }

  public void stepTo(long steps) {
    bar.stepTo(steps);
  }

  /** Says what is being done, in a few words. */
  public Progress doing(String what) {
    bar.setExtraMessage(" " + what);
    return this;
  }

  @Override
  public void close() {
    bar.close();
  }
}
