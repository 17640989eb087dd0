package dev.berth.workbench.topology;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/** Labels a file by its kind; the output appears whole or not at all, and may be the input. */
public final class TopologyFiles {

  private TopologyFiles() {}

  public static TopologyLabels.Summary label(TopologyLabels topology, Path in, Path out)
      throws IOException {
    if (!Files.isReadable(in)) {
      throw new IOException("cannot read " + in + ": no such file, or no permission");
    }
    Path temporary = out.resolveSibling(out.getFileName() + ".tmp");
    try {
      TopologyLabels.Summary summary =
          in.getFileName().toString().toLowerCase(Locale.ROOT).endsWith(".csv")
              ? new CsvLabeler(topology).label(in, temporary)
              : new YamlLabeler(topology).label(in, temporary);
      Files.move(temporary, out, StandardCopyOption.REPLACE_EXISTING);
      return summary;
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
