package dev.berth.service.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

/** The page as a person sees it: a real browser in front of a real service. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(400) // a bound for a hang
class PageInBrowserTest {
  private SmallCluster cluster;
  private Browser browser;

  @BeforeAll
  void start(@TempDir Path folder, @TempDir Path profile) throws Exception {
    browser = Browser.start(profile);
    cluster = new SmallCluster(folder, Map.of("BERTH_SERVER_OPEN_READS", "true"));
    cluster.place(0, 80, "active");
  }

  @AfterAll
  void stop() {
    if (browser != null) {
      browser.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeEach
  void open() throws Exception {
    browser.screen(1440, 1000, "light");
    browser.open(cluster.url());
    browser.await("document.getElementById('canvas').dataset.tiles === '24'");
    browser.await("document.querySelectorAll('#decisions li').length >= 60");
    browser.await("document.querySelectorAll('#facts li').length >= 5");
    browser.await("document.querySelectorAll('#forecast td').length > 0");
  }

  @Test
  void itShowsTheClusterTheDecisionsAndWhatTheServiceSaysOfItself() throws Exception {
    assertThat(browser.text("#summary"))
        .contains("CPU measured: mean", "24 nodes", "1 unknown", "on node-05");
    assertThat(browser.text("#facts")).contains("mode active", "policy dqn", "80 pods");
    browser.await("document.getElementById('facts').textContent.includes('1 alert firing')");
    assertThat(browser.text("#facts")).containsPattern("clip [0-9.]+ %");
    assertThat(browser.text("#warning-list"))
        .contains("BerthForecastOff: this alert fires (warning, horizon 5m)");
    assertThat(browser.text("#change")).contains("asked by default-scheduler/test", "active 80");
    // No line ends before the sign.
    browser.await(
        "/stock would have\\d+, \\d+\\u00a0%/.test(document.getElementById('change').textContent)");
    assertThat(browser.text("#decisions")).contains("cache-79\n", "→ node-", " · shop\n");
    assertThat(browser.text("#forecast")).contains("now");
    browser.await("document.getElementById('regret').textContent.includes('Berth scored best')");
    assertThat(browser.text("#regret"))
        .contains("Placed with Berth’s scores", "change nothing, because no pod");
    assertThat(browser.text("#learning")).contains("learner", "alive", "The newest weights");
    assertThat(browser.text("#pulse")).isEqualTo("live");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void theLastWeekIsToldByDayAndByOwner() throws Exception {
    browser.find("#week summary").click();
    browser.await("document.querySelectorAll('#week-owners tbody tr').length === 4");
    assertThat(browser.text("#week-summary")).startsWith("change nothing, because no pod");
    assertThat(browser.text("#week-owners")).containsPattern("shop/Deployment/cache \\d+ \\d+ %");
    assertThat(browser.text("#week-days")).containsPattern("20\\d\\d-\\d\\d-\\d\\d \\d+ \\d+ %");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void aNodeWithoutASampleIsUnknownAndNotIdle() throws Exception {
    browser.find("#find").sendKeys("node-23");
    browser.await("!document.getElementById('node').hidden");
    assertThat(browser.text("#node"))
        .contains("node-23", "never measured", "CPU measured\nunknown", "bound here alone");
    // Grey stripes, as in the legend, and not the colour of zero.
    browser.find("#view input[value=cpuRequested]").click();
    browser.await("document.getElementById('summary').textContent.startsWith('CPU requested')");
    assertThat(browser.text("#summary")).doesNotContain("unknown");
  }

  @Test
  void aClickOnADecisionOpensItsExplanationWithTheRunnerUp() throws Exception {
    browser.find("#decisions li:nth-child(2) button").click();
    browser.await("document.querySelector('#why[open] table')");
    assertThat(browser.text("#why-title")).contains("Why this node? shop/");
    assertThat(browser.text("#why-body"))
        .contains("was preferred with 100 of 100", "came second with", "It went there")
        .contains("24 nodes could take it", "(chosen)", "Balance", "Overload", "Hedge");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void aNodeWithCardsShowsThemAsCards() throws Exception {
    browser.find("#find").sendKeys("node-01");
    browser.await("document.querySelectorAll('#node .cards li').length === 4");
    assertThat(browser.text("#node .cards"))
        .contains("card 0\n0 % given", "card 1\n50 % given", "card 2\n100 % given", "75 % given");
  }

  @Test
  void theSliderGoesThroughTheHorizonsOfTheForecast() throws Exception {
    browser.find("#view input[value=forecast]").click();
    browser.await("!document.getElementById('horizon').disabled");
    browser.find("#horizon").sendKeys(Keys.END);
    browser.await("document.getElementById('summary').textContent.includes('50 min ahead')");
    assertThat(browser.find("#horizon").getAttribute("aria-valuetext")).isEqualTo("50 min ahead");
  }

  @Test
  void theKeysWalkOverTheMapAndOpenANode() throws Exception {
    browser.js("document.getElementById('heat').focus()");
    browser.find("#heat").sendKeys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER);
    browser.await("!document.getElementById('node').hidden");
    assertThat(browser.text("#node h3")).isEqualTo("node-01");
    assertThat(browser.js("return document.getElementById('under').textContent").asText())
        .startsWith("node-01: ");
  }

  @Test
  void itAsksForTheTokenAndTakesNoOther(@TempDir Path other) throws Exception {
    try (SmallCluster guarded = new SmallCluster(other, Map.of())) {
      guarded.place(0, 3, "shadow");
      browser.open(guarded.url());
      browser.await("document.querySelector('#ask[open]')");
      assertThat(browser.text("#decisions")).isEmpty();
      browser.find("#token").sendKeys("not the token", Keys.ENTER);
      browser.await("document.getElementById('token-error').textContent.includes('refuses')");
      browser.find("#token").sendKeys(guarded.token(), Keys.ENTER);
      browser.await("document.getElementById('canvas').dataset.tiles === '24'");
      browser.await("document.getElementById('facts').textContent.includes('mode shadow')");
      assertThat(browser.js("return document.cookie").asText()).isEmpty();
      // The refusals, and nothing else.
      assertThat(browser.complaints()).isNotEmpty().allMatch(c -> c.contains("401"));
    }
  }

  @ParameterizedTest
  @CsvSource({"375,light", "375,dark", "1440,light", "1440,dark"})
  void everyoneCanUseItAndNothingSticksOut(int width, String scheme) throws Exception {
    browser.screen(width, 900, scheme);
    browser.await("window.innerWidth === " + width);
    browser.find("#find").sendKeys("node-01");
    browser.await("!document.getElementById('node').hidden");
    browser.js("document.querySelectorAll('details').forEach(d => d.open = true)");
    browser.await("document.querySelectorAll('#groups td').length > 0");
    browser.await("document.querySelectorAll('#week-owners td').length > 0");
    assertThat(browser.overflows()).isEmpty();
    assertThat(browser.accessibilityFindings()).isEmpty();
    browser.find("#decisions li:nth-child(1) button").click();
    browser.await("document.querySelector('#why[open] table')");
    assertThat(browser.overflows()).isEmpty();
    assertThat(browser.accessibilityFindings()).isEmpty();
    assertThat(browser.complaints()).isEmpty();
  }
}
