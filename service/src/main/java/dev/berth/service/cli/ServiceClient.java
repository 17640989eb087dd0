package dev.berth.service.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.service.config.TokenFile;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Asks a running service on its reading port: options of every command that does, and the GET. */
final class ServiceClient {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String WANTED = "want one such as http://127.0.0.1:8765";
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8765",
      description =
          "The service's reading port (default: ${DEFAULT-VALUE}); in a cluster 'kubectl -n"
              + " berth-system port-forward service/berth-service 8765' brings it there.")
  private String url = "http://127.0.0.1:8765";

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "File with the token, or the read token; not needed with server.open-reads.")
  private @Nullable Path tokenFile;

  /**
   * @param path with its query
   * @throws IOException naming what is wrong and the fix
   */
  JsonNode get(String path) throws IOException {
    HttpRequest.Builder request = HttpRequest.newBuilder(at(path)).timeout(PATIENCE).GET();
    if (tokenFile != null) {
      request.header("Authorization", "Bearer " + TokenFile.read(tokenFile));
    }
    HttpResponse<byte[]> response = send(request.build());
    JsonNode body = body(response.body());
    if (response.statusCode() == 200) {
      return body;
    }
    String detail =
        body.path("detail")
            .asText(
                "what answers at %s is no Berth service, it says %d: name another with --url"
                    .formatted(url, response.statusCode()));
    throw new IOException(
        response.statusCode() == 401
            ? url
                + (tokenFile == null ? " wants a token" : " refuses the token of " + tokenFile)
                + ": give --token-file the file that server.token-file names, or 'token' in the"
                + " service's state-folder"
            : detail);
  }

  private URI at(String path) {
    try {
      URI service = new URI(url);
      if (service.getHost() != null
          && service.getQuery() == null
          && service.getFragment() == null
          && List.of("http", "https").contains(String.valueOf(service.getScheme()))) {
        return new URI(url.replaceFirst("/+$", "") + path); // below a proxy's path, if it has one
      }
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("--url is " + url + ": " + WANTED, e);
    }
    throw new IllegalArgumentException("--url is " + url + ": " + WANTED);
  }

  private JsonNode body(byte[] text) throws IOException {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IOException(
          "what answers at " + url + " is no Berth service: name another with --url", e);
    }
  }

  /** An id as it may stand in a path, with its slashes. */
  static String path(String id) {
    return encoded(id).replace("+", "%20").replace("%2F", "/");
  }

  /** A value as it may stand in a query. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private HttpResponse<byte[]> send(HttpRequest request) throws IOException {
    try {
      return HttpClient.newBuilder()
          .connectTimeout(PATIENCE)
          .build()
          .send(request, BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new IOException("no service answers at " + url + ": name another with --url", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("stopped while waiting for " + url, e);
    }
  }
}
