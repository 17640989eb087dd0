package dev.berth.workbench.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.GpuNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Asks a running service for scores of GPU nodes, one request at a time. One thread. */
public final class ScoreClient {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int POD_LIMIT = 110;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE).build();
  private final URI service;
  private final String token;
  private final String run = UUID.randomUUID().toString();
  private int asked;

  /**
   * @param service such as {@code http://127.0.0.1:8766}
   */
  public ScoreClient(URI service, String token) {
    this.service = service;
    this.token = token;
  }

  /**
   * An answer.
   *
   * @param scores 0..100, {@code [candidates]}
   * @param cards indices of the cards to take, {@code [candidates][cards]}; empty rows where the
   *     pod asks for none or there is no room
   * @param reason why all scores are alike, empty when they are not
   * @param nanos from sending to the whole body
   */
  public record Answer(int[] scores, int[][] cards, String policy, String reason, long nanos) {}

  /**
   * Scores of one pod on some nodes; {@code mode} is {@code shadow}, so that no learner takes the
   * answer for a placement.
   *
   * @throws IOException when the service is away, refuses, or answers another request; the message
   *     says what to do
   */
  public Answer ask(String podName, PodRequests pod, List<GpuNode> candidates) throws IOException {
    String decision = run + "/" + asked++;
    HttpRequest request =
        HttpRequest.newBuilder(service.resolve("/v1/score"))
            .timeout(PATIENCE)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(body(decision, podName, pod, candidates)))
            .build();
    long sent = System.nanoTime();
    HttpResponse<byte[]> response = send(request);
    long nanos = System.nanoTime() - sent;
    if (response.statusCode() != 200) {
      throw new IOException(refusal(response));
    }
    JsonNode reply = JSON.readTree(response.body());
    int n = candidates.size();
    if (!reply.path("decision").asText().equals(decision) || reply.path("scores").size() != n) {
      throw new IOException(
          service + " answered another request than " + decision + " about " + n + " nodes");
    }
    int[] scores = new int[n];
    int[][] cards = new int[n][0];
    for (int i = 0; i < n; i++) {
      scores[i] = reply.get("scores").get(i).asInt();
      JsonNode row = reply.path("gpuCards").path(i);
      cards[i] = new int[row.size()];
      for (int k = 0; k < cards[i].length; k++) {
        cards[i][k] = row.get(k).asInt();
      }
    }
    return new Answer(
        scores, cards, reply.path("policy").asText(), reply.path("reason").asText(), nanos);
  }

  private HttpResponse<byte[]> send(HttpRequest request) throws IOException {
    try {
      return http.send(request, BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for " + service, e);
    } catch (IOException e) {
      throw new IOException(
          "no answer from " + service + ": start it with 'berth serve', or give its --service", e);
    }
  }

  private String refusal(HttpResponse<byte[]> response) throws IOException {
    if (response.statusCode() == 401) {
      return service + " refuses the token: give --token-file the file in its state folder";
    }
    String type = response.headers().firstValue("Content-Type").orElse("");
    String detail =
        type.contains("json") ? JSON.readTree(response.body()).path("detail").asText() : type;
    return service + " answered " + response.statusCode() + ": " + detail;
  }

  private byte[] body(String decision, String podName, PodRequests pod, List<GpuNode> candidates)
      throws IOException {
    ObjectNode body = JSON.createObjectNode();
    body.put("decision", decision).put("scheduler", "score-trace/0").put("mode", "shadow");
    ObjectNode p = body.putObject("pod");
    p.put("uid", decision).put("name", podName).put("namespace", "trace");
    p.put("cpuMilli", pod.cpuMilli()).put("memoryBytes", pod.memoryBytes());
    if (pod.gpu().count() > 0) {
      ObjectNode gpu = p.putObject("gpu");
      gpu.put("count", pod.gpu().count()).put("milli", pod.gpu().milli());
      pod.gpu().models().forEach(gpu.putArray("models")::add);
    }
    ObjectNode nodes = body.putObject("nodes");
    ArrayNode models = JSON.createArrayNode();
    ArrayNode free = JSON.createArrayNode();
    for (GpuNode node : candidates) {
      nodes.withArray("names").add(node.name());
      nodes.withArray("cpuMilli").add(node.cpuCapacityMilli());
      nodes.withArray("memoryBytes").add(node.memoryCapacityBytes());
      nodes.withArray("podLimit").add(POD_LIMIT);
      nodes.withArray("cpuRequestedMilli").add(node.cpuCapacityMilli() - node.freeCpuMilli());
      nodes
          .withArray("memoryRequestedBytes")
          .add(node.memoryCapacityBytes() - node.freeMemoryBytes());
      nodes.withArray("podCount").add(node.pods());
      for (String pending : List.of("pendingCpuMilli", "pendingMemoryBytes", "pendingPods")) {
        nodes.withArray(pending).add(0);
      }
      models.add(node.model());
      ArrayNode cards = free.addArray();
      for (int card = 0; card < node.cards(); card++) {
        cards.add(node.freeMilli(card));
      }
    }
    nodes.set("gpuModels", models);
    nodes.set("gpuFreeMilli", free);
    return JSON.writeValueAsBytes(body);
  }
}
