package dev.berth.policy.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.berth.policy.file.CheckedFile;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class ModelFileTest {
  @Test
  void aShortFileThatNamesAHugeNetworkAsksForNoMemory() {
    byte[] bytes =
        new CheckedFile("BERTHMDL", 2, "", "")
            .encode(
                out -> {
                  out.writeUTF("balance");
                  out.writeLong(0);
                  out.writeUTF("none");
                  out.writeUTF("");
                  out.writeLong(0);
                  out.writeLong(0);
                  for (int width : new int[] {16_384, 1, 16_384, 1}) { // inputs, layers, outputs
                    out.writeInt(width);
                  }
                  out.writeBoolean(false);
                  out.writeBoolean(false);
                  out.writeUTF("RELU");
                });
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThatThrownBy(() -> ModelFile.decode(bytes, "balance", "train a new one"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ends too early: train a new one");
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(64 << 20);
  }
}
