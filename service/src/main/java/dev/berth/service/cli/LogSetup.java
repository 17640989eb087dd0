package dev.berth.service.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.spi.FilterReply;
import dev.berth.service.config.ConfigLoader;
import dev.berth.service.doctor.FileCheck;
import org.jspecify.annotations.Nullable;

/**
 * The log: a line per event on standard error, for standard output belongs to commands that print
 * results. {@code BERTH_LOG_LEVEL} is the level of our own classes, {@code INFO} unless set; {@code
 * -Dlogback.configurationFile=FILE} names a set-up of one's own.
 *
 * <p>In code, because the reader of logback's XML takes a tenth of the time until a service
 * listens. Found by logback as a service.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_TOP_PRIORITY)
public final class LogSetup extends ContextAwareBase implements Configurator {
  private static final String LINE =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSS'Z',UTC} %-5level %logger{0}: %msg%n%ex{8}";

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    if (System.getProperty("logback.configurationFile") != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    PatternLayoutEncoder lines = new PatternLayoutEncoder();
    lines.setContext(context);
    lines.setPattern(LINE);
    lines.start();
    ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
    stderr.setContext(context);
    stderr.setName("stderr");
    stderr.setTarget(ConsoleTarget.SystemErr.getName());
    stderr.setEncoder(lines);
    stderr.addFilter(new Told());
    stderr.start();
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN); // Jetty and Javalin announce themselves
    // It would write down whatever strangers send that is no HTTP; the service counts it.
    context.getLogger("org.eclipse.jetty.http").setLevel(Level.ERROR);
    context.getLogger("org.eclipse.jetty.util").setLevel(Level.ERROR);
    root.addAppender(stderr);
    setLevel(context.getLogger("dev.berth"), System.getenv(ConfigLoader.LOG_LEVEL));
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /** By thread, not by logger: whatever else runs in this process logs as before. */
  private static final class Told extends Filter<ILoggingEvent> {
    @Override
    public FilterReply decide(ILoggingEvent event) {
      return event.getMDCPropertyMap().containsKey(FileCheck.TOLD)
          ? FilterReply.DENY
          : FilterReply.NEUTRAL;
    }
  }

  /**
   * @param asked null for the default
   */
  static void setLevel(Logger logger, @Nullable String asked) {
    Level level = Level.toLevel(asked, null);
    logger.setLevel(level == null ? Level.INFO : level);
    if (level == null && asked != null) {
      logger.warn(
          "{}: '{}' is no level, so INFO holds: say DEBUG, INFO, WARN or ERROR",
          ConfigLoader.LOG_LEVEL,
          asked);
    }
  }
}
