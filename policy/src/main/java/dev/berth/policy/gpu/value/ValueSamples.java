package dev.berth.policy.gpu.value;

import dev.berth.policy.gpu.GpuNode;
import java.util.ArrayList;
import java.util.List;

/** After-states with what became of them, in pages of primitive arrays. */
public final class ValueSamples {
  private static final int PAGE = 4096;

  private final List<float[]> features = new ArrayList<>();
  private final List<float[]> labels = new ArrayList<>();
  private final float[] row = new float[ValueInputs.COUNT];
  private int size;

  /** Remembers the node as it is now; its label comes later. Returns the sample's number. */
  public int add(GpuNode node, WorkloadProfile workload) {
    if (size % PAGE == 0) {
      features.add(new float[PAGE * ValueInputs.COUNT]);
      labels.add(new float[PAGE]);
    }
    ValueInputs.write(node, 0, 0, 0, 0, workload, row, 1, 0);
    System.arraycopy(row, 0, features(size), offset(size), ValueInputs.COUNT);
    return size++;
  }

  /** What became of the sample, in GPUs. */
  public void label(int sample, double value) {
    labels.get(sample / PAGE)[sample % PAGE] = (float) value;
  }

  public int size() {
    return size;
  }

  float[] features(int sample) {
    return features.get(sample / PAGE);
  }

  int offset(int sample) {
    return sample % PAGE * ValueInputs.COUNT;
  }

  float label(int sample) {
    return labels.get(sample / PAGE)[sample % PAGE];
  }
}
