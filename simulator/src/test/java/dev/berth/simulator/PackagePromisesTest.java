package dev.berth.simulator;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What the package-info files promise of dependencies, word for word. */
@AnalyzeClasses(packages = "dev.berth", importOptions = ImportOption.DoNotIncludeTests.class)
final class PackagePromisesTest {
  private static final String ROOT = "dev.berth.simulator.";

  @ArchTest
  static final ArchRule theSimulatorKnowsOnlyThePolicies =
      noClasses()
          .that()
          .resideInAPackage("dev.berth.simulator..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.berth.service..", "dev.berth.workbench..");

  @ArchTest
  static void roomsOfTheSimulatorFormNoCircle(JavaClasses all) {
    slices()
        .matching("dev.berth.(**)")
        .should()
        .beFreeOfCycles()
        .check(all.that(resideInAPackage("dev.berth.simulator..")));
  }

  @ArchTest
  static final ArchRule gpuRunsKnowNothingOfTheBalanceSimulation =
      noClasses()
          .that()
          .resideInAPackage(ROOT + "gpu")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              ROOT + "engine",
              ROOT + "experiment",
              ROOT + "learning",
              ROOT + "oracle",
              ROOT + "scenario",
              ROOT + "usage",
              ROOT + "workload");

  @ArchTest
  static final ArchRule statisticsDependOnNothing =
      classes()
          .that()
          .resideInAPackage(ROOT + "statistics")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              ROOT + "statistics", "org.apache.commons.statistics..", "org.jspecify..", "java..");

  /** How long a run took is measured; what happens in it is not decided by that. */
  @ArchTest
  static final ArchRule whatMustRepeatHasNoClockAndNoUnseededRandomness =
      noClasses()
          .that()
          .resideInAnyPackage(
              ROOT + "engine",
              ROOT + "oracle",
              ROOT + "rival",
              ROOT + "scenario",
              ROOT + "usage",
              ROOT + "workload")
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .callConstructor(java.util.Random.class)
          .orShould()
          .callConstructor(java.util.SplittableRandom.class);
}
