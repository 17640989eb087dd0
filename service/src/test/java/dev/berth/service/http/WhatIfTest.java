package dev.berth.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import dev.berth.service.Given;
import dev.berth.service.Service;
import dev.berth.service.scoring.Mode;
import dev.berth.service.scoring.ScoreRequest;
import dev.berth.service.task.DutyCycle;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A what-if changes nothing, takes little, and says what it rests on. */
@Timeout(120)
class WhatIfTest {
  private static final Pod POD = Pod.of("p", "default/Pod/p", 100, 1 << 20);
  private final Candidates nodes = Given.nodes("n0", "n1", "n2", "n3");
  private final HttpClient client = HttpClient.newHttpClient();
  private Service service;

  @BeforeEach
  void start(@TempDir Path folder) {
    service = Given.service(folder, Map.of("BERTH_SCORING_EXPLORE", "0.5"));
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void anyNumberOfThemLeavesTheExplorationBudgetAndTheCountsAsTheyWere() throws Exception {
    for (int i = 0; i < 1000; i++) {
      assertThat(service.scorer().whatIf(POD, nodes).explored()).isFalse();
    }
    assertThat(service.scorer().tally().decisions()).isZero();
    assertThat(get("/metrics").join().body())
        .contains("berth_score_candidates_total 0.0", "berth_score_neutral_total 0.0");
    int explored = 0;
    for (int i = 0; i < 100; i++) {
      ScoreRequest request = new ScoreRequest("d/" + i, "", Mode.ACTIVE, POD, nodes);
      explored += service.scorer().score(request).explored() ? 1 : 0;
    }
    assertThat(explored).as("of 100 decisions, three in eight on average").isGreaterThan(10);
  }

  @Test
  void whoAsksAgainAndAgainIsToldToWait() throws Exception {
    List<HttpResponse<String>> answers = new ArrayList<>();
    while (answers.stream().noneMatch(a -> a.statusCode() == 429)) {
      answers.clear();
      List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        asked.add(get("/score"));
      }
      for (CompletableFuture<HttpResponse<String>> answer : asked) {
        answers.add(answer.get());
      }
    }
    assertThat(answers)
        .filteredOn(a -> a.statusCode() == 429)
        .allSatisfy(a -> assertThat(a.headers().firstValue("Retry-After")).hasValue("2"));
  }

  @Test
  void theyGetATwentiethOfTheTime() {
    AtomicLong now = new AtomicLong(-5);
    DutyCycle share = new DutyCycle(now::get);
    assertThat(share.begin()).isTrue();
    assertThat(share.begin()).as("one at a time").isFalse();
    now.addAndGet(1_000_000);
    share.end();
    now.addAndGet(18_999_999);
    assertThat(share.begin()).isFalse();
    now.addAndGet(1);
    assertThat(share.begin()).isTrue();
  }

  @Test
  void aReadyServiceThatKnowsNoNodeAnswersAndSaysSo() {
    assertThat(get("/readyz").join().statusCode()).isEqualTo(200);
    assertThat(get("/readyz").join().body()).contains("no node is known yet");
    HttpResponse<String> scores = get("/score").join();
    assertThat(scores.statusCode()).isEqualTo(200);
    assertThat(scores.body()).contains("no node is known yet", "\"nodes\" : [ ]");
  }

  private CompletableFuture<HttpResponse<String>> get(String path) {
    URI uri = URI.create("http://127.0.0.1:" + service.readPort() + path);
    return client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }
}
