package dev.berth.service.config;

import java.time.Duration;

/** The HTTP side. */
public record ServerConfig(
    @Doc("Address to listen on; 0.0.0.0 for every interface (a pod needs that).") String host,
    @Doc(
            "Port for people, Prometheus and probes: `GET /score` and the other reads. 0 takes a"
                + " free one and logs it.")
        int port,
    @Doc(
            "Port for the scheduler alone: scores and outcomes, with threads and connections of its"
                + " own. 0 takes a free one and logs it.")
        int schedulerPort,
    @Doc(
            "File with the bearer token the scheduler's requests must carry; made with mode 0600 at"
                + " the first start, read again when it changes. Empty: `token` in the state"
                + " folder.")
        String tokenFile,
    @Doc("How long the token before is still taken after the file has changed.")
        Duration tokenOverlap,
    @Doc(
            "File with a token that is good for reads only; made when missing, read again when it"
                + " changes. Empty: reads take the scheduler's token alone.")
        String readTokenFile,
    @Doc(
            "Whether `GET /score`, which tells nodes and their scores, needs no token; all that ask"
                + " get a twentieth of the scorer's time together, and 429 for two seconds at most"
                + " after one that took long, as the first after a start does.")
        boolean openWhatIf,
    @Doc(
            "Whether the other reads, which tell names of pods and owners, need no token. Probes"
                + " and /metrics never do.")
        boolean openReads,
    TlsConfig tls,
    @Doc("Largest request body; 20,000 candidates need about 4 MiB.") DataSize maxBody,
    @Doc(
            "Most candidates of one request: four times the largest cluster Kubernetes promises"
                + " to carry.")
        int maxCandidates,
    @Doc("Most events of one batch; the plugin sends 500. 5,000 take 0.2 s to be written.")
        int maxEvents,
    @Doc(
            "Most connections of each port. When they are all taken, those that are silent for a"
                + " second are closed.")
        int connections,
    @Doc("A connection on which nothing moves for so long is closed.") Duration idleTimeout,
    @Doc("Most threads of each port.") int threads,
    @Doc("How long a stop waits for requests in flight.") Duration shutdownGrace,
    @Doc(
            "Most time to score synthetic candidates before listening, so that the first pod does"
                + " not meet cold code; 0s listens at once.")
        Duration warmUp) {

  public ServerConfig {
    Check.that(!host.isBlank(), "host", "an address such as 127.0.0.1", "''");
    Check.that(port >= 0 && port <= 65_535, "port", "0..65535", port);
    Check.that(
        schedulerPort >= 0 && schedulerPort <= 65_535, "scheduler-port", "0..65535", schedulerPort);
    Check.that(
        schedulerPort != port || port == 0,
        "scheduler-port",
        "another one than port",
        schedulerPort);
    Check.that(
        !tokenOverlap.isNegative(), "token-overlap", "a duration, or 0s for none", tokenOverlap);
    Check.that(
        maxBody.bytes() >= 1024 && maxBody.bytes() <= 1 << 28, "max-body", "1KiB..256MiB", maxBody);
    Check.that(
        maxCandidates >= 1 && maxCandidates <= 1_000_000,
        "max-candidates",
        "1..1000000",
        maxCandidates);
    Check.that(maxEvents >= 1 && maxEvents <= 1_000_000, "max-events", "1..1000000", maxEvents);
    Check.that(connections >= 4 && connections <= 100_000, "connections", "4..100000", connections);
    Check.positive(idleTimeout, "idle-timeout");
    Check.that(threads >= 4 && threads <= 1000, "threads", "4..1000", threads);
    Check.positive(shutdownGrace, "shutdown-grace");
    Check.that(!warmUp.isNegative(), "warm-up", "a duration, or 0s for none", warmUp);
  }

  /** The same server where only this machine reaches it. */
  public ServerConfig onFreeLoopbackPort() {
    return new ServerConfig(
        "127.0.0.1",
        0,
        0,
        tokenFile,
        tokenOverlap,
        readTokenFile,
        openWhatIf,
        openReads,
        tls,
        maxBody,
        maxCandidates,
        maxEvents,
        connections,
        idleTimeout,
        threads,
        shutdownGrace,
        warmUp);
  }

  static ServerConfig defaults() {
    return new ServerConfig(
        "127.0.0.1",
        8765,
        8766,
        "",
        Duration.ofMinutes(5),
        "",
        true,
        false,
        TlsConfig.defaults(),
        new DataSize(8 << 20),
        20_000,
        5_000,
        64,
        Duration.ofSeconds(30),
        16,
        Duration.ofSeconds(5),
        Duration.ofSeconds(2));
  }
}
