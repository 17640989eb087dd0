package dev.berth.service.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.SessionNotCreatedException;
import org.openqa.selenium.TakesScreenshot;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.opentest4j.TestAbortedException;

/** A headless Chromium that a test looks through; {@code make browser} installs one. */
public final class Browser implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String MISSING =
      "no Chromium on this machine: 'make browser' installs it, or set BERTH_CHROMIUM and"
          + " BERTH_CHROMEDRIVER";

  /**
   * Warns of libraries for a protocol that is not used here. Kept: a logger that nobody holds
   * forgets.
   */
  private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path CHROMIUM = program("BERTH_CHROMIUM", "/usr/bin/chromium");
  private static final Path DRIVER = program("BERTH_CHROMEDRIVER", "/usr/bin/chromedriver");

  static {
    SELENIUM.setLevel(Level.SEVERE);
  }

  private final ChromeDriver driver;

  private static Path program(String variable, String usual) {
    return Path.of(Objects.requireNonNullElse(System.getenv(variable), usual));
  }

  /**
   * Opens one; the test is skipped, and says why, where there is none or it does not start.
   *
   * @param profile an empty folder
   */
  public static Browser start(Path profile) {
    if (!Files.isExecutable(CHROMIUM) || !Files.isExecutable(DRIVER)) {
      throw skipped(MISSING, null);
    }
    try {
      return new Browser(profile);
    } catch (SessionNotCreatedException e) {
      throw skipped(CHROMIUM + " does not start on this machine: " + e.getRawMessage(), e);
    }
  }

  /** Maven's quiet mode does not print why a test was skipped. */
  private static TestAbortedException skipped(String why, Exception cause) {
    System.err.println("SKIPPED, the page was not looked at: " + why);
    return new TestAbortedException(why, cause);
  }

  private Browser(Path profile) {
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toFile());
    options.addArguments(
        "--headless=new",
        "--no-sandbox", // a container's root has none
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--user-data-dir=" + profile);
    options.setCapability("goog:loggingPrefs", Map.of("browser", "ALL"));
    driver =
        new ChromeDriver(
            new ChromeDriverService.Builder().usingDriverExecutable(DRIVER.toFile()).build(),
            options);
    driver.manage().timeouts().scriptTimeout(Duration.ofSeconds(60));
  }

  /** Looks as a screen of this width does, light or dark. */
  public void screen(int width, int height, String scheme) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  public void open(String url) {
    driver.get(url);
  }

  /** What a script returns, as JSON. */
  public JsonNode js(String script) {
    return JSON.valueToTree(driver.executeScript(script));
  }

  public String text(String css) {
    return driver.findElement(By.cssSelector(css)).getText();
  }

  public WebElement find(String css) {
    return driver.findElement(By.cssSelector(css));
  }

  /** Waits until a script returns true, a minute at most. */
  public void await(String script) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!js("return Boolean(" + script + ")").asBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not so within " + PATIENCE + ": " + script);
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  /** Errors and warnings on the console since the last call. */
  public List<String> complaints() {
    List<String> complaints = new ArrayList<>();
    for (LogEntry entry : driver.manage().logs().get("browser")) {
      if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
        complaints.add(entry.getMessage());
      }
    }
    return complaints;
  }

  /** What axe-core finds that is serious or critical, a line each. */
  public List<String> accessibilityFindings() {
    driver.executeScript(axe());
    Object results =
        driver.executeAsyncScript(
            "const done = arguments[arguments.length - 1];axe.run(document, {resultTypes:"
                + " ['violations']}).then(r => done(r.violations));");
    List<String> findings = new ArrayList<>();
    for (JsonNode violation : JSON.<JsonNode>valueToTree(results)) {
      String impact = violation.path("impact").asText();
      if (impact.equals("serious") || impact.equals("critical")) {
        findings.add(
            violation.path("id").asText()
                + ": "
                + violation.path("nodes").findValuesAsText("html"));
      }
    }
    return findings;
  }

  private static String axe() {
    try (InputStream in = Browser.class.getResourceAsStream("/axe.min.js")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What sticks out of the window's right edge and does not lie in something that scrolls. */
  public List<String> overflows() {
    List<String> out = new ArrayList<>();
    js("""
    const wide = document.documentElement.clientWidth;
    const found = [];
    if (document.documentElement.scrollWidth > wide) found.push('the document');
    for (const e of document.body.querySelectorAll('*')) {
      const box = e.getBoundingClientRect();
      if (box.width > 0 && box.right > wide + 1 && !e.closest('.scroll, .visually-hidden, .skip, dialog:not([open])'))
        found.push(e.tagName + '#' + e.id + '.' + e.className);
    }
    return found;
    """)
        .forEach(e -> out.add(e.asText()));
    return out;
  }

  public void screenshot(Path file) throws IOException {
    screenshot(file, driver);
  }

  /** Of one element alone. */
  public void screenshot(Path file, String css) throws IOException {
    screenshot(file, find(css));
  }

  private static void screenshot(Path file, TakesScreenshot what) throws IOException {
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.write(file, what.getScreenshotAs(OutputType.BYTES));
  }

  @Override
  public void close() {
    driver.quit();
  }
}
