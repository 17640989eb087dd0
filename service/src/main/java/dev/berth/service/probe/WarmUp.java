package dev.berth.service.probe;

import dev.berth.service.config.ServerConfig;
import dev.berth.service.http.WarmUpServer;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.scoring.Scorer;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scores synthetic candidates over the whole path (socket, server, codec, cluster state, policy)
 * before the service listens. The first score of a cold JVM takes longer than the plugin's
 * deadline; so does the first GPU pod's.
 *
 * <p>The scorer is one of its own, with cluster state, samples and metrics of its own: nothing of
 * this remains but compiled code.
 */
public final class WarmUp {
  private static final Logger log = LoggerFactory.getLogger(WarmUp.class);
  private static final int CANDIDATES = 100;

  /**
   * Twice as many take .7 s longer and make the first answers no quicker (make bench-first-score).
   */
  private static final int QUESTIONS = 250;

  private static final int EVERY_GPU = 4;
  private static final int VARIANTS = 16;

  private WarmUp() {}

  /**
   * @param scorer thrown away afterwards
   * @return how many requests were answered
   */
  public static int run(ServerConfig config, Scorer scorer) {
    long most = config.warmUp().toNanos();
    if (most == 0) {
      return 0;
    }
    int asked = 0;
    try (WarmUpServer server = new WarmUpServer(config, scorer, new ServiceMetrics());
        KeptAliveClient client = new KeptAliveClient(server.port(), "/v1/score", server.token())) {
      SyntheticCluster cluster = new SyntheticCluster(CANDIDATES);
      cluster.fill(scorer);
      byte[][] requests = new byte[VARIANTS][];
      for (int i = 0; i < VARIANTS; i++) {
        boolean gpu = i % EVERY_GPU == 0;
        requests[i] =
            gpu
                ? client.request(cluster.gpuScoreRequest(i))
                : client.request(SyntheticCluster.COLUMNS, cluster.columnsRequest(i));
      }
      long start = System.nanoTime(); // a slow machine's preparations take no questions away
      while (asked < QUESTIONS && System.nanoTime() - start < most) {
        client.send(requests[asked % VARIANTS]);
        asked++;
      }
      log.info("warmed up: {} scores in {} ms", asked, (System.nanoTime() - start) / 1_000_000);
    } catch (IOException | RuntimeException e) {
      // Slow first answers are no reason not to serve.
      log.warn("not warmed up, so the first scores may come late", e);
    }
    return asked;
  }
}
