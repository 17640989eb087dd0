package dev.berth.workbench.topology;

import dev.berth.simulator.csv.CsvTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVPrinter;

/** Adds a rack and a server column to a CSV list, or fills their empty cells. */
final class CsvLabeler {
  private final TopologyLabels topology;
  private int position;
  private int added;

  CsvLabeler(TopologyLabels topology) {
    this.topology = topology;
  }

  TopologyLabels.Summary label(Path in, Path out) throws IOException {
    List<Map<String, String>> rows = CsvTable.read(in, List.of(), this::labelled);
    if (rows.isEmpty()) {
      throw new IllegalArgumentException(in + " holds no row below its header");
    }
    try (CSVPrinter writer = CsvTable.write(out, List.copyOf(rows.get(0).keySet()))) {
      for (Map<String, String> row : rows) {
        writer.printRecord(row.values());
      }
    }
    return new TopologyLabels.Summary(position, added);
  }

  private Map<String, String> labelled(CsvTable row) {
    Map<String, String> fields = new LinkedHashMap<>();
    row.columns().forEach(column -> fields.put(column, row.text(column)));
    fill(fields, topology.rackKey(), topology.rack(position));
    fill(fields, topology.serverKey(), topology.server(position));
    position++;
    return fields;
  }

  private void fill(Map<String, String> fields, String column, String value) {
    if (fields.getOrDefault(column, "").isEmpty()) {
      fields.put(column, value);
      added++;
    }
  }
}
