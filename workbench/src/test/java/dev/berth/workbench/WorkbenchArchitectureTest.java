package dev.berth.workbench;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
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
  void roomsOfTheWorkbenchFormNoCircle() {
    slices()
        .matching("dev.berth.(**)")
        .should()
        .beFreeOfCycles()
        .check(CLASSES.that(resideInAPackage("dev.berth.workbench..")));
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
  void sweepsTrainAndJudgeThroughTheCommandLineOnly() {
    noClasses()
        .that()
        .resideInAPackage("dev.berth.workbench.sweep")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.berth.policy",
            "dev.berth.policy.agent..",
            "dev.berth.policy.heuristic..",
            "dev.berth.policy.gpu..",
            "dev.berth.simulator.engine..",
            "dev.berth.simulator.experiment..",
            "dev.berth.simulator.learning..",
            "dev.berth.simulator.gpu..",
            "dev.berth.service..")
        .check(CLASSES);
  }

  @Test
  void labelsOfRacksNeedTablesAndNothingElse() {
    noClasses()
        .that()
        .resideInAPackage("dev.berth.workbench.topology")
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.berth..")
                .and(
                    DescribedPredicate.not(
                        resideInAnyPackage(
                            "dev.berth.workbench.topology", "dev.berth.simulator.csv"))))
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
