package dev.berth.service.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.config.ConfigLoader;
import dev.berth.service.config.ServiceConfig;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.Scorer;
import dev.berth.service.scoring.ScorerSink;
import dev.berth.service.scoring.Serving;
import dev.berth.service.scoring.SharedState;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The warm-up asks over the real path; that the serving scorer sees none of it: ServiceTest. */
class WarmUpTest {

  @Test
  void everyQuestionIsAnsweredOverTheSocket() {
    ServiceConfig config = ConfigLoader.load(null, Map.of("BERTH_SERVER_WARM_UP", "10s"));
    Scorer scorer =
        new Scorer(
            config.scoring(),
            new Serving(PredictThenGreedy.best(), 0),
            new SharedState(new ClusterState(UsageConfig.DEFAULT), Clock.systemUTC()),
            new NodeTable(),
            new ServiceMetrics(),
            "warm-up",
            ScorerSink.NONE,
            Runnable::run);
    int asked = WarmUp.run(config.server(), scorer);
    assertThat(asked).isEqualTo(250);
    assertThat(scorer.tally().decisions()).isEqualTo(asked);
    assertThat(scorer.tally().neutral()).as("requests the scorer knew too little for").isZero();
  }
}
