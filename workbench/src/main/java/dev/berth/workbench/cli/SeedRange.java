package dev.berth.workbench.cli;

import dev.berth.simulator.scenario.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Seeds as people write them: {@code 42-51}, {@code 7} or {@code 1,5,10-12}. */
record SeedRange(List<Long> seeds) {

  private static final Pattern ENDS = Pattern.compile("(\\d{1,15})(?:-(\\d{1,15}))?");

  /** For picocli. */
  static final class Converter implements ITypeConverter<SeedRange> {
    @Override
    public SeedRange convert(String text) {
      List<Long> seeds = new ArrayList<>();
      for (String part : text.split(",", -1)) {
        Matcher ends = ENDS.matcher(part.strip());
        if (!ends.matches()) {
          throw new TypeConversionException(
              "'" + part + "' is no seed or range of seeds: write 42-51, 7 or 1,5,10-12");
        }
        long from = Long.parseLong(ends.group(1));
        long to = ends.group(2) == null ? from : Long.parseLong(ends.group(2));
        try {
          seeds.addAll(new Seeds(from, to).list());
        } catch (IllegalArgumentException e) {
          throw new TypeConversionException(e.getMessage());
        }
      }
      return new SeedRange(List.copyOf(seeds));
    }
  }
}
