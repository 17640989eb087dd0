package dev.berth.service.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.service.FastClock;
import dev.berth.service.FourNodes;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever may name a pod, an owner or a node's zone says nothing on the page but that name. */
@Timeout(200) // a bound for a hang
class HostileNamesTest {
  private static final String HTML = "<img src=x onerror=document.title='owned'><b>";
  private static final String LONG = "w".repeat(1_000);

  @Test
  void markupInNamesIsTextAndLongNamesBreak(@TempDir Path folder, @TempDir Path profile)
      throws Exception {
    try (FourNodes cluster = new FourNodes(folder, new FastClock(1), Map.of());
        Browser browser = Browser.start(profile)) {
      cluster.awaitSamples();
      place(cluster, "1", HTML + "name", "shop/" + HTML + "/web", HTML + "node");
      place(cluster, "2", LONG, "shop/Deployment/" + LONG, "n0");
      browser.screen(1440, 1000, "light");
      browser.open(cluster.url() + "/");
      browser.await("document.querySelectorAll('#decisions li').length >= 3");
      browser.await("document.querySelectorAll('#facts li').length >= 5");
      assertThat(browser.text("#decisions")).contains(HTML + "name", LONG);
      for (int decision : new int[] {1, 2}) {
        browser.find("#decisions li:nth-child(" + decision + ") button").click();
        browser.await("document.querySelector('#why[open] table')");
        assertThat(browser.text("#why-body")).contains(HTML + "node");
        for (int width : new int[] {1440, 375}) {
          browser.screen(width, 900, "light");
          browser.await("window.innerWidth === " + width);
          assertThat(browser.overflows()).as("%d pixels", width).isEmpty();
        }
        browser.find("#why .close").click();
      }
      browser.find("#find").sendKeys(HTML + "node");
      browser.await("!document.getElementById('node').hidden");
      assertThat(browser.text("#node")).contains(HTML + "node", HTML + "zone");
      browser.await("document.querySelectorAll('img[src=x], script:not([src])').length === 0");
      browser.await("document.title !== 'owned'");
      assertThat(browser.complaints()).isEmpty();
    }
  }

  private static void place(FourNodes cluster, String uid, String name, String owner, String node)
      throws Exception {
    String pod =
        """
        {"uid":"%s","name":"%s","namespace":"shop","owner":"%s","cpuMilli":250}\
        """
            .formatted(uid, name, owner);
    cluster.post(
        "/v1/score",
        """
        {"contract":2,"decision":"%s/1","scheduler":"%s","pod":%s,"nodes":{"names":["n0","%s"],
        "cpuMilli":[64000,64000],"memoryBytes":[100000000000,100000000000],"podLimit":[110,110],
        "cpuRequestedMilli":[0,1],"memoryRequestedBytes":[1,1],"podCount":[1,1],
        "pendingCpuMilli":[0,0],"pendingMemoryBytes":[0,0],"pendingPods":[0,0],
        "zones":["","%s"],"racks":["","%s"]}}
        """
            .formatted(uid, HTML + "scheduler", pod, HTML + "node", HTML + "zone", HTML + "rack"));
    cluster.post(
        "/v1/outcomes",
        """
        {"events":[{"type":"bound","at":"%s","decision":"%s/1","node":"%s","pod":%s}]}
        """
            .formatted(Instant.now(), uid, node, pod));
  }
}
