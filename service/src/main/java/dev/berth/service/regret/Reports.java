package dev.berth.service.regret;

import dev.berth.service.store.Choice;
import dev.berth.service.store.ChoiceOwners;
import dev.berth.service.store.ExperienceStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes reports from what the store keeps, row by row. Thread-safe. */
public final class Reports {
  private static final int OWNERS = 10;

  private final ExperienceStore store;
  private final Clock clock;

  public Reports(ExperienceStore store, Clock clock) {
    this.store = store;
    this.clock = clock;
  }

  /** Of the time from so long ago until now. */
  public Report of(Duration time) {
    Instant until = clock.instant();
    Instant since = until.minus(time);
    double from = since.toEpochMilli() / 1000.0;
    Judged others = new Judged(false);
    Judged berth = new Judged(false);
    Map<String, Judged> days = new LinkedHashMap<>();
    Map<String, Judged> owners = new LinkedHashMap<>();
    ChoiceOwners all = store.choiceOwners(from, OWNERS);
    for (String owner : all.most()) {
      owners.put(owner, new Judged(true));
    }
    double[] first = {Double.NaN};
    store.choices(
        from,
        c -> {
          first[0] = Double.isNaN(first[0]) ? c.at() : first[0];
          (c.byBerth() ? berth : others).add(c);
          days.computeIfAbsent(day(c), d -> new Judged(false)).add(c);
          Judged owner = owners.get(c.owner());
          if (owner != null) {
            owner.add(c);
          }
        });
    double seconds = until.toEpochMilli() / 1000.0 - first[0];
    Figures byOthers = others.figures();
    Figures byBerth = berth.figures();
    return new Report(
        since.toString(),
        until.toString(),
        Double.isNaN(first[0]) ? null : Instant.ofEpochSecond((long) first[0]).toString(),
        byOthers,
        byBerth,
        lines(days),
        lines(owners),
        all.all() - owners.size(),
        Advice.of(byOthers, byBerth, seconds / Duration.ofDays(1).toSeconds()));
  }

  private static String day(Choice c) {
    return LocalDate.ofInstant(Instant.ofEpochMilli((long) (1000 * c.at())), ZoneOffset.UTC)
        .toString();
  }

  private static List<Report.Line> lines(Map<String, Judged> parts) {
    List<Report.Line> lines = new ArrayList<>();
    parts.forEach((name, judged) -> lines.add(new Report.Line(name, judged.figures())));
    return lines;
  }
}
