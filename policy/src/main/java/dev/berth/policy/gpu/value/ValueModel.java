package dev.berth.policy.gpu.value;

import dev.berth.policy.gpu.GpuScorer;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

/**
 * A trained network with the prices it was chosen with, a few kB. File: magic, format, hash of the
 * feature names, prices, shape, weights, CRC-32C of all that.
 */
public record ValueModel(ValueNetwork network, Prices prices) implements GpuModel {
  private static final int MAGIC = 0x42475056; // "BGPV"
  private static final int FORMAT = 1;
  private static final int MAX_HIDDEN = 1024;
  private static final String SHIPPED = "openb.value";

  /** The model that ships with Berth, trained by {@code berth gpu-train}. */
  public static ValueModel shipped() {
    try (InputStream in = ValueModel.class.getResourceAsStream(SHIPPED)) {
      if (in == null) {
        throw new IllegalStateException("resource " + SHIPPED + " is missing from this build");
      }
      return read(in);
    } catch (IOException e) {
      throw new IllegalStateException("the shipped model is unreadable: " + e.getMessage(), e);
    }
  }

  @Override
  public GpuScorer scorer(String name, WorkloadProfile workload) {
    return new NodeValueScorer(name, this, workload);
  }

  /**
   * The same network for a cluster where pods leave: room for big pods decides, the value breaks
   * ties.
   */
  @Override
  public ValueModel withDepartures() {
    return new ValueModel(network, new Prices(prices.typed(), Prices.BIG_PODS_WITH_DEPARTURES));
  }

  public void write(OutputStream out) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(body);
    data.writeInt(MAGIC);
    data.writeInt(FORMAT);
    data.writeInt(ValueInputs.NAMES.hashCode());
    data.writeDouble(prices.typed());
    data.writeDouble(prices.bigPods());
    data.writeInt(network.inputs());
    data.writeInt(network.hidden());
    for (float weight : network.weights()) {
      data.writeFloat(weight);
    }
    CRC32C checksum = new CRC32C();
    checksum.update(body.toByteArray());
    data.writeLong(checksum.getValue());
    out.write(body.toByteArray());
  }

  public static ValueModel read(InputStream in) throws IOException {
    CheckedInputStream checked = new CheckedInputStream(in, new CRC32C());
    DataInputStream data = new DataInputStream(checked);
    if (data.readInt() != MAGIC) {
      throw new IOException("not a GPU value model: write one with 'berth gpu-train'");
    }
    int format = data.readInt();
    if (format != FORMAT) {
      throw new IOException("format %d, this build reads %d".formatted(format, FORMAT));
    }
    if (data.readInt() != ValueInputs.NAMES.hashCode()) {
      throw new IOException(
          "the model was trained on other features than this build makes: train it again with"
              + " 'berth gpu-train'");
    }
    Prices prices = new Prices(data.readDouble(), data.readDouble());
    int inputs = data.readInt();
    int hidden = data.readInt();
    if (inputs != ValueInputs.COUNT || hidden < 1 || hidden > MAX_HIDDEN) {
      throw new IOException("damaged: %d inputs, %d hidden units".formatted(inputs, hidden));
    }
    float[] weights = new float[ValueNetwork.size(inputs, hidden)];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = data.readFloat();
    }
    long expected = checked.getChecksum().getValue();
    if (data.readLong() != expected) {
      throw new IOException("damaged: the checksum does not match");
    }
    return new ValueModel(new ValueNetwork(inputs, hidden, weights), prices);
  }
}
