package dev.berth.service.page;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Makes the pictures of the README by {@code make screenshots}; no test, so not run with them. */
@Timeout(300)
class PageScreenshots {
  @Test
  void ofASmallClusterThatIsWatchedForAWhile(@TempDir Path folder, @TempDir Path profile)
      throws Exception {
    assumeTrue(Browser.available(), Browser.MISSING);
    Path pictures = Path.of(Objects.requireNonNull(System.getProperty("berth.screenshots")));
    try (SmallCluster cluster =
            new SmallCluster(folder, Map.of("BERTH_SERVER_OPEN_READS", "true"));
        Browser browser = new Browser(profile)) {
      cluster.place(0, 40, "active");
      browser.screen(1440, 1180, "light");
      browser.open(cluster.url());
      for (int from = 40; from < 400; from += 10) {
        cluster.place(from, from + 10, "active");
        TimeUnit.MILLISECONDS.sleep(700);
      }
      browser.await("document.getElementById('learning').textContent.includes('kept back')");
      browser.await("document.querySelectorAll('#forecast td').length > 0");
      browser.find("#find").sendKeys("node-01");
      browser.await("!document.getElementById('node').hidden");
      browser.js("document.activeElement.blur()");
      browser.screenshot(pictures.resolve("page.png"));
      browser.find("#decisions li:nth-child(3) button").click();
      browser.await("document.querySelector('#why[open] table')");
      browser.screenshot(pictures.resolve("page-why.png"));
      browser.find("#why .close").click();
      browser.screen(375, 1500, "dark");
      browser.await("document.getElementById('canvas').clientWidth < 400");
      TimeUnit.MILLISECONDS.sleep(500);
      browser.screenshot(pictures.resolve("page-phone.png"));
    }
  }

  @Test
  void ofFiveThousandNodes(@TempDir Path folder, @TempDir Path profile) throws Exception {
    assumeTrue(Browser.available(), Browser.MISSING);
    Path pictures = Path.of(Objects.requireNonNull(System.getProperty("berth.screenshots")));
    try (LargeCluster cluster = new LargeCluster(folder);
        Browser browser = new Browser(profile)) {
      browser.screen(1440, 1000, "light");
      browser.open(cluster.url());
      browser.await("document.getElementById('canvas').dataset.tiles === '5000'");
      browser.screenshot(pictures.resolve("page-5000.png"));
    }
  }
}
