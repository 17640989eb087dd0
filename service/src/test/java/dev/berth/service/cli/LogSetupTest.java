package dev.berth.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.read.ListAppender;
import dev.berth.service.doctor.FileCheck;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogSetupTest {
  private final LoggerContext context = new LoggerContext();

  @AfterEach
  void stop() {
    context.stop();
  }

  @Test
  void anEventIsALineOnStandardErrorAndLibrariesAreQuiet() {
    LogbackMDCAdapter mdc = new LogbackMDCAdapter();
    context.setMDCAdapter(mdc);
    new LogSetup().configure(context);
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    PrintStream stderr = System.err;
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    try {
      context.getLogger("dev.berth.service.Service").info("listening");
      context.getLogger("org.eclipse.jetty.server.Server").info("started");
      mdc.put(FileCheck.TOLD, "as a finding");
      context.getLogger("dev.berth.service.Service").warn("what its thread tells otherwise");
    } finally {
      System.setErr(stderr);
    }
    assertThat(written.toString(StandardCharsets.UTF_8))
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z INFO  Service: listening\n");
  }

  @Test
  void aLevelThatDoesNotExistIsNamedAndInfoHolds() {
    Logger logger = context.getLogger("dev.berth");
    ListAppender<ILoggingEvent> said = new ListAppender<>();
    said.start();
    logger.addAppender(said);
    LogSetup.setLevel(logger, "debug");
    assertThat(logger.getLevel()).isEqualTo(Level.DEBUG);
    LogSetup.setLevel(logger, null);
    assertThat(said.list).isEmpty();
    LogSetup.setLevel(logger, "LOUD");
    assertThat(logger.getLevel()).isEqualTo(Level.INFO);
    assertThat(said.list)
        .singleElement()
        .asString()
        .contains("BERTH_LOG_LEVEL", "'LOUD'", "DEBUG, INFO, WARN or ERROR");
  }

  @Test
  void itIsWhatLogbackFinds() {
    Logger ours = (Logger) LoggerFactory.getLogger("dev.berth");
    assertThat(ours.getLevel()).isNotNull();
    assertThat(ours.getLoggerContext().getLogger(Logger.ROOT_LOGGER_NAME).getLevel())
        .isEqualTo(Level.WARN);
    assertThat(ours.getLoggerContext().getLogger(Logger.ROOT_LOGGER_NAME).getAppender("stderr"))
        .isNotNull();
  }
}
