package dev.berth.workbench.topology;

/**
 * Where an object stands in an imagined machine room: by its position among the objects of its
 * kind, {@code rack-<position / serversPerRack>} and {@code srv-<position % serversPerRack>}.
 *
 * @param serversPerRack servers in one rack, at least 1
 * @param rackKey label key, or CSV column, of the rack
 * @param serverKey label key, or CSV column, of the server
 */
public record TopologyLabels(int serversPerRack, String rackKey, String serverKey) {

  public TopologyLabels {
    if (serversPerRack < 1) {
      throw new IllegalArgumentException(
          "servers per rack is " + serversPerRack + ", expected at least 1");
    }
    if (rackKey.isBlank() || serverKey.isBlank() || rackKey.equals(serverKey)) {
      throw new IllegalArgumentException(
          "rack and server need two different label keys, got '%s' and '%s'"
              .formatted(rackKey, serverKey));
    }
  }

  public String rack(int position) {
    return "rack-" + position / serversPerRack;
  }

  public String server(int position) {
    return "srv-" + position % serversPerRack;
  }

  /**
   * What was done.
   *
   * @param objects nodes and pods (or rows) seen
   * @param added labels (or cells) written; existing values are never changed
   */
  public record Summary(int objects, int added) {}
}
