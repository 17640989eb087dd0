package dev.berth.workbench.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Seeds as people write them: {@code 42-51}, {@code 7} or {@code 1,5,10-12}. */
record SeedRange(List<Long> seeds) {

  /** For picocli. */
  static final class Converter implements ITypeConverter<SeedRange> {
    @Override
    public SeedRange convert(String text) {
      List<Long> seeds = new ArrayList<>();
      for (String part : text.split(",")) {
        String[] ends = part.strip().split("-");
        try {
          long from = Long.parseLong(ends[0]);
          long to = Long.parseLong(ends[ends.length - 1]);
          if (ends.length > 2 || to < from) {
            throw new NumberFormatException();
          }
          for (long seed = from; seed <= to; seed++) {
            seeds.add(seed);
          }
        } catch (NumberFormatException e) {
          throw new TypeConversionException(
              "'" + part + "' is no seed or range of seeds: write 42-51, 7 or 1,5,10-12");
        }
      }
      return new SeedRange(List.copyOf(seeds));
    }
  }
}
