package dev.berth.workbench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The workbench may use every room; no room of the product may need it or what it brings. */
class WorkbenchArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.berth");

  @Test
  void nothingPointsBackToTheWorkbench() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.berth.workbench..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.berth.workbench..",
            "io.fabric8..",
            "org.knowm.xchart..",
            "me.tongfei.progressbar..")
        .check(CLASSES);
  }

  @Test
  void onlyTheChartsKnowXChart() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.berth.workbench.charts..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.knowm.xchart..")
        .check(CLASSES);
  }

  @Test
  void onlyTheConsoleKnowsProgressBars() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.berth.workbench.console..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("me.tongfei.progressbar..")
        .check(CLASSES);
  }
}
