package dev.berth.service.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.service.prometheus.FiringAlerts.Alert;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FiringAlertsTest {
  @Test
  void whatAnybodyCallsAnAlertIsTakenInItsBounds() {
    Map<String, String> labels = new HashMap<>();
    labels.put("alertname", "Berth\u001b[2J" + "x".repeat(1_000_000));
    for (int i = 0; i < 1_000; i++) {
      labels.put("l" + i, "y".repeat(10_000));
    }
    Alert alert = Alert.of(new Series(labels, 1));
    assertThat(alert.name()).startsWith("Berth?[2Jx").hasSizeLessThan(250);
    assertThat(alert.labels())
        .hasSizeLessThan(50)
        .allSatisfy((name, value) -> assertThat(value).hasSizeLessThan(250));
  }
}
