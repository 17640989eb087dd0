package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.text.Quantity;
import java.math.RoundingMode;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Our parser, which serves without the Kubernetes client, reads what the client reads. */
class QuantityAgreementTest {
  private static final String[] SUFFIXES = {
    "", "n", "u", "m", "k", "M", "G", "Ki", "Mi", "Gi", "Ti", "e3", "E-2", "e+1"
  };

  @Test
  void quantitiesMeanTheSameAsInTheClient_seed1() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 5_000; i++) {
      String text = random.nextInt(100_000) + "";
      if (random.nextBoolean()) {
        text += "." + random.nextInt(1000);
      }
      text += SUFFIXES[random.nextInt(SUFFIXES.length)];
      long theirs =
          new io.fabric8.kubernetes.api.model.Quantity(text)
              .getNumericalAmount()
              .setScale(0, RoundingMode.CEILING)
              .longValueExact();
      assertThat(Quantity.bytes(text)).as(text).isEqualTo(theirs);
    }
  }
}
