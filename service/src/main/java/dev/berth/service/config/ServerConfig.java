package dev.berth.service.config;

import java.time.Duration;

/** The HTTP side. */
public record ServerConfig(
    @Doc("Address to listen on; 0.0.0.0 for every interface (a pod needs that).") String host,
    @Doc("Port to listen on; 0 takes a free one and logs it.") int port,
    @Doc(
            "File with the bearer token every POST must carry; made with mode 0600 at the first"
                + " start. Empty: `token` in the state folder.")
        String tokenFile,
    @Doc("Largest request body; 5,000 candidates need about 1 MiB.") DataSize maxBody,
    @Doc("Most threads of the HTTP server.") int threads,
    @Doc("How long a stop waits for requests in flight.") Duration shutdownGrace,
    @Doc(
            "Most time to score synthetic candidates before listening, so that the first pod does"
                + " not meet cold code; 0s listens at once.")
        Duration warmUp) {

  public ServerConfig {
    Check.that(!host.isBlank(), "host", "an address such as 127.0.0.1", "''");
    Check.that(port >= 0 && port <= 65_535, "port", "0..65535", port);
    Check.that(
        maxBody.bytes() >= 1024 && maxBody.bytes() <= 1 << 30, "max-body", "1KiB..1GiB", maxBody);
    Check.that(threads >= 4 && threads <= 1000, "threads", "4..1000", threads);
    Check.positive(shutdownGrace, "shutdown-grace");
    Check.that(!warmUp.isNegative(), "warm-up", "a duration, or 0s for none", warmUp);
  }

  /** The same server where only this machine reaches it. */
  public ServerConfig onFreeLoopbackPort() {
    return new ServerConfig("127.0.0.1", 0, tokenFile, maxBody, threads, shutdownGrace, warmUp);
  }

  static ServerConfig defaults() {
    return new ServerConfig(
        "127.0.0.1",
        8765,
        "",
        new DataSize(16 << 20),
        16,
        Duration.ofSeconds(5),
        Duration.ofSeconds(2));
  }
}
