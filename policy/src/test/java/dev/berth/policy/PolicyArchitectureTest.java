package dev.berth.policy;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The policy module decides and learns; it does no I/O. */
@AnalyzeClasses(packages = "dev.berth.policy", importOptions = ImportOption.DoNotIncludeTests.class)
final class PolicyArchitectureTest {
  @ArchTest
  static final ArchRule roomsFormNoCircle =
      slices().matching("dev.berth.policy.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule whatAllLearningSharesKnowsNothingOfWhatIsPlaced =
      classes()
          .that()
          .resideInAnyPackage(
              "dev.berth.policy.network..",
              "dev.berth.policy.tensor..",
              "dev.berth.policy.learning..",
              "dev.berth.policy.model..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.berth.policy.network..",
              "dev.berth.policy.tensor..",
              "dev.berth.policy.learning..",
              "dev.berth.policy.model..",
              "dev.berth.policy.file..",
              "org.jspecify..",
              "java..");

  @ArchTest
  static final ArchRule nothingPointsBack =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.berth.simulator..", "dev.berth.service..");
}
