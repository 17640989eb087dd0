package dev.berth.service.config;

/** A recording of what the service sees, for {@code berth replay}. */
public record RecordingConfig(
    @Doc(
            "File that takes everything the service is asked and told, for `berth replay`; empty"
                + " records nothing. A file of an earlier start is kept as `FILE.previous`.")
        String file,
    @Doc("Largest size of the file, compressed; recording ends when it is reached.") DataSize size,
    @Doc(
            "Memory for what waits to be written; the oldest is dropped, and the recording says"
                + " where.")
        DataSize queue) {

  public RecordingConfig {
    Check.memory(size, "size");
    Check.memory(queue, "queue");
  }

  static RecordingConfig defaults() {
    return new RecordingConfig("", new DataSize(1L << 30), new DataSize(64 << 20));
  }
}
