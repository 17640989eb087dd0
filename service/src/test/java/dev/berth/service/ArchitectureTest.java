package dev.berth.service;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.properties.HasOwner;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.berth.service.config.ServiceConfig;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The arrows of the house, and no key that nothing reads. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.berth");

  @Test
  void onlyTheHttpEdgeKnowsJavalin() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.berth.service.http..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.javalin..", "org.eclipse.jetty..", "jakarta.servlet..")
        .check(CLASSES);
  }

  @Test
  void onlyTheStoreKnowsSql() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.berth.service.store..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..")
        .check(CLASSES);
  }

  @Test
  void scoringKnowsNothingOfHttpSqlOrPrometheus() {
    noClasses()
        .that()
        .resideInAPackage("dev.berth.service.scoring..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.berth.service.http..",
            "dev.berth.service.store..",
            "dev.berth.service.prometheus..",
            "dev.berth.service.cli..")
        .check(CLASSES);
  }

  @Test
  void prometheusKnowsNothingOfScoring() {
    noClasses()
        .that()
        .resideInAPackage("dev.berth.service.prometheus..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.berth.service.scoring..", "dev.berth.policy.agent..")
        .check(CLASSES);
  }

  @Test
  void theRegistryKnowsNothingOfWhatIsInsideAModel() {
    noClasses()
        .that()
        .resideInAPackage("dev.berth.service.registry..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.berth.policy.agent..", "dev.berth.policy.model..", "dev.berth.policy.gpu..")
        .check(CLASSES);
  }

  @Test
  void othersSeeTheStoreAndNotItsDatabase() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.berth.service.store..")
        .and()
        .doNotHaveSimpleName("Service") // which opens it
        .should()
        .dependOnClassesThat()
        .haveSimpleNameStartingWith("Sqlite")
        .check(CLASSES);
  }

  @Test
  void nothingPointsBackToTheService() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.berth.policy..", "dev.berth.simulator..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.berth.service..")
        .check(CLASSES);
  }

  @Test
  void roomsOfTheServiceFormNoCircle() {
    slices()
        .matching("dev.berth.(**)")
        .should()
        .beFreeOfCycles()
        .check(CLASSES.that(resideInAPackage("dev.berth.service..")));
  }

  /** Its image would have to hold them: simulator/pom.xml says optional. */
  @Test
  void theServiceNeedsNoLibraryOfTraces() {
    noClasses()
        .that()
        .resideInAPackage("dev.berth.service..")
        .should()
        .transitivelyDependOnClassesThat()
        .resideInAnyPackage("org.apache.commons.csv..")
        .check(CLASSES);
  }

  /** Its threads have a name, are daemons, and a task that fails in one is counted and goes on. */
  @Test
  void threadsOfTheServiceAreStartedInOneRoom() {
    noClasses()
        .that()
        .resideInAPackage("dev.berth.service..")
        .and()
        .resideOutsideOfPackages("dev.berth.service.task..", "dev.berth.service.cli..")
        .should()
        .callConstructorWhere(
            JavaCall.Predicates.target(HasOwner.Predicates.With.owner(assignableTo(Thread.class))))
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Executors.class)
        .orShould()
        .callMethod(CompletableFuture.class, "supplyAsync", Supplier.class) // without an executor
        .orShould()
        .callMethod(CompletableFuture.class, "runAsync", Runnable.class)
        .check(CLASSES);
  }

  @Test
  void everyConfigurationKeyIsReadBySomebody() {
    List<String> unread = new ArrayList<>();
    unread(ServiceConfig.class, unread);
    assertThat(unread).isEmpty();
  }

  private static void unread(Class<?> section, List<String> unread) {
    JavaClass record = CLASSES.get(section);
    for (RecordComponent component : section.getRecordComponents()) {
      if (component.getType().isRecord()
          && component.getType().getSimpleName().matches(".*(Config|Names|Queries)")) {
        unread(component.getType(), unread);
      }
      // A section may also hand its keys over together, translated by a method of its own.
      boolean read =
          calledOutside(record, component.getName())
              || record.getMethods().stream()
                  .filter(m -> !m.getName().equals(component.getName()))
                  .filter(
                      m ->
                          m.getFieldAccesses().stream()
                              .anyMatch(f -> f.getName().equals(component.getName())))
                  .anyMatch(m -> calledOutside(record, m.getName()));
      if (!read) {
        unread.add(section.getSimpleName() + "." + component.getName());
      }
    }
  }

  private static boolean calledOutside(JavaClass record, String method) {
    return CLASSES.stream()
        .filter(c -> !c.getPackageName().equals("dev.berth.service.config"))
        .anyMatch(
            c ->
                c.getCodeUnitCallsFromSelf().stream()
                        .anyMatch(
                            call ->
                                call.getTargetOwner().equals(record)
                                    && call.getName().equals(method))
                    || c.getCodeUnitReferencesFromSelf().stream()
                        .anyMatch(
                            ref ->
                                ref.getTargetOwner().equals(record)
                                    && ref.getName().equals(method)));
  }
}
