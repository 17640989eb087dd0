package dev.berth.policy;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** What the package-info files promise of dependencies, word for word. */
@AnalyzeClasses(packages = "dev.berth.policy", importOptions = ImportOption.DoNotIncludeTests.class)
final class PackagePromisesTest {
  private static final String ROOT = "dev.berth.policy";

  @ArchTest
  static void roomsDependOnNothingButWhatTheyName(JavaClasses all) {
    only(all, "cluster");
    only(all, "file");
    only(all, "usage");
    only(all, "network");
    only(all, "text", "com.fasterxml.jackson..", "org.yaml.snakeyaml..");
    only(all, "ledger", in("cluster"), in("usage"));
    only(all, "state", in("cluster"), in("usage"), in("ledger"), in("file"));
    only(all, "predict", ROOT, in("cluster"), in("usage"), in("state"));
    only(all, "heuristic", ROOT, in("cluster"), in("usage"), in("state"), in("predict"));
    only(all, "features", ROOT, in("cluster"), in("state"), in("predict"), in("network"));
    only(all, "gpu", ROOT, in("cluster"));
    only(all, "learning", in("network"), in("tensor"));
    only(all, "model", in("file"), in("network"), in("tensor"));
    only(all, "replay", in("learning"), in("network"));
    only(all, "tensor", in("network"));
  }

  private static String in(String room) {
    return ROOT + "." + room;
  }

  /** Room without what is below it: those have promises of their own. */
  private static void only(JavaClasses all, String room, String... others) {
    List<String> allowed =
        new ArrayList<>(List.of(in(room), "java..", "org.jspecify..", "org.slf4j"));
    allowed.addAll(List.of(others));
    classes()
        .that()
        .resideInAPackage(in(room))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed.toArray(String[]::new))
        .check(all);
  }

  @ArchTest
  static final ArchRule onlyTextKnowsJacksonAndYaml =
      noClasses()
          .that()
          .resideOutsideOfPackage(in("text"))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.fasterxml.jackson..", "org.yaml.snakeyaml..");

  @ArchTest
  static final ArchRule noClock =
      noClasses()
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(java.time.Instant.class, "now")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(java.time.Clock.class);

  @ArchTest
  static final ArchRule noFileAndNoSocket =
      noClasses()
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(
              java.nio.file.Files.class,
              java.io.File.class,
              java.io.FileInputStream.class,
              java.io.FileOutputStream.class)
          .orShould()
          .dependOnClassesThat()
          .resideInAnyPackage("java.net..", "java.nio.channels..");

  @ArchTest
  static final ArchRule noGlobalRandomness =
      noClasses()
          .should()
          .callMethod(Math.class, "random")
          .orShould()
          .callMethod(RandomGenerator.class, "getDefault")
          .orShould()
          .callConstructor(java.util.Random.class)
          .orShould()
          .callConstructor(java.util.SplittableRandom.class)
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(java.util.concurrent.ThreadLocalRandom.class);
}
