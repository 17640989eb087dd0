package dev.berth.workbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.service.cli.Berth;
import org.junit.jupiter.api.Test;

class WorkbenchTest {

  @Test
  void aCheckoutHasEveryCommandOfTheProduct() {
    assertThat(Workbench.commandLine().getSubcommands().keySet())
        .containsAll(Berth.commandLine().getSubcommands().keySet())
        .contains("serve", "doctor");
  }
}
