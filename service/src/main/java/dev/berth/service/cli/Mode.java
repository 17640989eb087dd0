package dev.berth.service.cli;

import dev.berth.service.operator.KubectlProgram;
import dev.berth.service.operator.ModeLog;
import dev.berth.service.operator.ModeMap;
import dev.berth.service.operator.ModeSetting;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code berth mode}: on which pods Berth decides, from the next pod on. */
@Command(
    name = "mode",
    description = {
      "Say on which pods Berth decides; without arguments, show it and who changed it.",
      "Every scheduler follows at its next pod, the service need not run. It is written to a"
          + " ConfigMap by kubectl, with your own rights; kubectl -n berth-system delete configmap"
          + " berth-mode goes back to what the schedulers' configuration says.",
    })
public final class Mode implements Callable<Integer> {
  private static final int LOG_LINES = 10;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "active|canary|shadow|off",
      description =
          "active decides for all pods; canary for some; shadow only watches; off does not even"
              + " ask.")
  private @Nullable String mode;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "SHARE",
      description =
          "Of a canary: share of the owners, such as 10%%. A greater share keeps every owner of a"
              + " smaller one.")
  private @Nullable String share;

  @Unmatched private final List<String> unmatched = new ArrayList<>();

  @Option(
      names = "--namespaces",
      paramLabel = "NAME",
      split = ",",
      description = "Of a canary: namespaces whose pods are all in it, beside the share elsewhere.")
  private List<String> namespaces = List.of();

  @Option(
      names = {"-l", "--selector"},
      paramLabel = "SELECTOR",
      defaultValue = "",
      description = "Of a canary: only pods with these labels, as of kubectl.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String selector;

  @Option(
      names = "--max-priority",
      paramLabel = "N",
      description = "Of a canary: only pods of this priority or less.")
  private @Nullable Integer maxPriority;

  @Option(
      names = "--clip",
      paramLabel = "CLIP",
      description =
          "Lower the largest learned correction to this share of a node's usage, 0 to 1; 0 is the"
              + " base alone, 'service' the service's own scoring.clip. Alone it leaves the mode as"
              + " it is; without it the clip stays as it is.")
  private @Nullable String clip;

  @Option(
      names = "--configmap",
      paramLabel = "NAMESPACE/NAME",
      defaultValue = "berth-system/berth-mode",
      description = "The schedulers' modeConfigMap. Default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String configMap;

  @Mixin private final KubectlProgram kubectl = new KubectlProgram();

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() {
    negative();
    PrintWriter out = spec.commandLine().getOut();
    ModeMap map = new ModeMap(kubectl, Clock.systemUTC(), configMap);
    if (mode == null && (narrowed() || !namespaces.isEmpty())) {
      throw new IllegalArgumentException(
          "--namespaces, --selector and --max-priority choose pods of a canary: name the mode, too,"
              + " as in 'berth mode canary 10%'");
    }
    if (mode == null && clip == null) {
      show(map, out);
    } else {
      // What was typed wrongly is wrong whether or not the cluster answers.
      ModeSetting asked = mode == null ? null : asked(mode.toLowerCase(Locale.ROOT));
      BigDecimal most = clip == null || clip.equals("service") ? null : clip(clip);
      out.printf(
          "%s%nEvery scheduler follows at its next pod.%n",
          map.write(before -> change(asked, most, before)));
    }
    out.flush();
    return 0;
  }

  private ModeSetting change(
      @Nullable ModeSetting asked, @Nullable BigDecimal most, @Nullable ModeSetting before) {
    ModeSetting wanted = asked == null ? before : asked;
    if (wanted == null) {
      throw new IllegalArgumentException(
          "there is no mode yet that the clip could belong to: name both, as in"
              + " 'berth mode active --clip "
              + clip
              + "'");
    }
    if (clip == null) {
      return wanted.withClip(before == null ? null : before.clip());
    }
    return wanted.withClip(most);
  }

  private ModeSetting asked(String name) {
    Integer percent = share == null ? null : percent(share);
    if (name.equals("canary") && percent == null && namespaces.isEmpty() && narrowed()) {
      percent = 100; // of those that the labels or priorities leave
    }
    return new ModeSetting(name, percent, namespaces, selector, maxPriority, null);
  }

  private boolean narrowed() {
    return !selector.isEmpty() || maxPriority != null;
  }

  /** A share below 0 looks like an option: it is a wrong share for all that. */
  private void negative() {
    if (unmatched.size() == 1 && share == null && unmatched.get(0).matches("-\\d.*")) {
      share = unmatched.get(0);
    } else if (!unmatched.isEmpty()) {
      throw new UnmatchedArgumentException(spec.commandLine(), unmatched);
    }
  }

  private static Integer percent(String share) {
    try {
      return Integer.valueOf(share.endsWith("%") ? share.substring(0, share.length() - 1) : share);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "the share is '" + share + "': want whole percent of the owners, such as 10%", e);
    }
  }

  private static @Nullable BigDecimal clip(String text) {
    try {
      return new ModeSetting("active", null, List.of(), "", null, new BigDecimal(text)).clip();
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "--clip is '" + text + "': want a number from 0 to 1, or service", e);
    }
  }

  private void show(ModeMap map, PrintWriter out) {
    ModeMap.Found found = map.read();
    if (!found.there()) {
      out.printf("as each scheduler's configuration says: there is no ConfigMap %s%n", configMap);
      return;
    }
    try {
      out.println(ModeSetting.of(found.data()));
    } catch (IllegalArgumentException e) {
      out.printf("refused by every scheduler, which keeps the mode before: %s%n", e.getMessage());
    }
    if (found.past() != null) {
      out.printf("written past this command: %s%n", found.past());
    }
    ModeLog.lines(found.data()).stream().limit(LOG_LINES).forEach(line -> out.println("  " + line));
  }
}
