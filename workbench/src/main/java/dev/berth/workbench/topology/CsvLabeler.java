package dev.berth.workbench.topology;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Adds a rack and a server column to a CSV list, or fills their empty cells. */
final class CsvLabeler {
  private final TopologyLabels topology;
  private int added;

  CsvLabeler(TopologyLabels topology) {
    this.topology = topology;
  }

  TopologyLabels.Summary label(Path in, Path out) throws IOException {
    List<String> lines = Files.readAllLines(in);
    if (lines.isEmpty()) {
      throw new IllegalArgumentException(in + ": the file is empty, expected a header");
    }
    List<String> header = new ArrayList<>(Arrays.asList(lines.get(0).split(",", -1)));
    int columns = header.size();
    int rack = column(header, topology.rackKey());
    int server = column(header, topology.serverKey());
    List<String> written = new ArrayList<>();
    written.add(String.join(",", header));
    int position = 0;
    for (int line = 1; line < lines.size(); line++) {
      if (lines.get(line).isBlank()) {
        continue;
      }
      List<String> fields = new ArrayList<>(Arrays.asList(lines.get(line).split(",", -1)));
      if (fields.size() > columns) {
        throw new IllegalArgumentException(
            "%s:%d: %d fields, the header names %d"
                .formatted(in, line + 1, fields.size(), columns));
      }
      while (fields.size() < header.size()) {
        fields.add("");
      }
      fill(fields, rack, topology.rack(position));
      fill(fields, server, topology.server(position));
      position++;
      written.add(String.join(",", fields));
    }
    Files.write(out, written);
    return new TopologyLabels.Summary(position, added);
  }

  private static int column(List<String> header, String name) {
    int index = header.indexOf(name);
    if (index >= 0) {
      return index;
    }
    header.add(name);
    return header.size() - 1;
  }

  private void fill(List<String> fields, int column, String value) {
    if (fields.get(column).isBlank()) {
      fields.set(column, value);
      added++;
    }
  }
}
