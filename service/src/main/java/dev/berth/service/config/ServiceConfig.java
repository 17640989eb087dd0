package dev.berth.service.config;

/** Everything the service can be told. */
public record ServiceConfig(
    @Doc("Folder for the token, the experience store and the models; made when missing.")
        String stateFolder,
    ServerConfig server,
    PrometheusConfig prometheus,
    ScoringConfig scoring,
    StoreConfig store,
    TrainerConfig trainer,
    RecordingConfig recording) {

  public ServiceConfig {
    Check.that(!stateFolder.isBlank(), "state-folder", "a folder", "''");
  }

  public static ServiceConfig defaults() {
    return new ServiceConfig(
        "berth-state",
        ServerConfig.defaults(),
        PrometheusConfig.defaults(),
        ScoringConfig.defaults(),
        StoreConfig.defaults(),
        TrainerConfig.defaults(),
        RecordingConfig.defaults());
  }
}
