package dev.berth.workbench.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Locale;

/** What the service says of itself at the end of a turn: {@code GET /v1/status}. */
record ServiceStatus(JsonNode json) {

  static ServiceStatus read(String service) throws IOException, InterruptedException {
    HttpRequest ask =
        HttpRequest.newBuilder(URI.create(service + "/v1/status"))
            .timeout(Duration.ofSeconds(5))
            .build();
    HttpResponse<String> answer = HttpClient.newHttpClient().send(ask, BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(ask.uri() + " answers " + answer.statusCode() + ": " + answer.body());
    }
    return new ServiceStatus(new ObjectMapper().readTree(answer.body()));
  }

  /** Root mean square error of the forecast of now, as a share of a node; NaN when unknown. */
  double forecastErrorNow() {
    return json.at("/forecast/now/rmse").asDouble(Double.NaN);
  }

  /** The same of forecasts within 15 s of a bind. */
  double forecastErrorJustBound() {
    return json.at("/forecast/now-just-bound/rmse").asDouble(Double.NaN);
  }

  /** Where the newest weights stand, in words. */
  String newerWeights() {
    JsonNode standing = json.path("promotion");
    return switch (standing.path("state").asText("")) {
      case "" -> "nothing is known of them";
      case "kept-back" ->
          "kept back, because: "
              + standing.path("reason").asText().replaceFirst("^kept back: ", "")
              + gain(standing);
      default ->
          standing.path("state").asText()
              + ": "
              + standing.path("reason").asText()
              + gain(standing);
    };
  }

  /** What the serving version has gained over its base, in words; empty when nothing is known. */
  String watched() {
    JsonNode standing = json.path("watch");
    return standing.path("gain").isNumber()
        ? standing.path("reason").asText() + gain(standing)
        : "";
  }

  private static String gain(JsonNode standing) {
    JsonNode interval = standing.path("interval");
    if (!standing.path("gain").isNumber() || interval.size() != 2) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        " (%+.4f, 95 %% interval %+.4f to %+.4f, %d decisions)",
        standing.path("gain").asDouble(),
        interval.path(0).asDouble(),
        interval.path(1).asDouble(),
        standing.path("decisions").asInt());
  }
}
