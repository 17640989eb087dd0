package dev.berth.workbench.bench;

import dev.berth.workbench.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The service as its image holds it, in a folder: start script, jars and native libraries as links
 * to what {@code make service-image} built, a Java runtime of the modules that the image has, made
 * by this process's JDK, and the archive of classes that the Dockerfile makes of them.
 */
public final class ImageFolder {
  private static final String ARCHIVE = "classes.jsa";

  private final Path root;

  private ImageFolder(Path root) {
    this.root = root;
  }

  /**
   * Makes it, which takes some ten seconds.
   *
   * @param checkout where its parts are built
   * @param root absent or empty
   * @throws IOException when the image's parts are not built, or its runtime or archive cannot be
   *     made; the message has the log
   */
  public static ImageFolder layOut(Path checkout, Path root)
      throws IOException, InterruptedException {
    Path parts = checkout.resolve("service/image");
    if (!Files.isDirectory(parts.resolve("target/lib"))) {
      throw new IOException(parts.resolve("target/lib") + " is missing: run 'make service-image'");
    }
    Files.createDirectories(root.resolve("bin"));
    Files.createSymbolicLink(root.resolve("bin/berth"), parts.resolve("berth"));
    Files.createSymbolicLink(root.resolve("lib"), parts.resolve("target/lib"));
    Files.createSymbolicLink(root.resolve("native"), parts.resolve("target/native"));
    ImageFolder image = new ImageFolder(root.toAbsolutePath());
    image.runtime(parts.resolve("runtime"));
    image.archive();
    return image;
  }

  /** What a container of the image runs. */
  public List<String> command(String... arguments) {
    return Stream.concat(Stream.of(root.resolve("bin/berth").toString()), Stream.of(arguments))
        .toList();
  }

  /** A {@code PATH} on which its start script finds its Java. */
  public String path() {
    return first(root.resolve("java/bin"));
  }

  private void runtime(Path script) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(script.toString(), root.resolve("java").toString());
    builder.environment().put("PATH", first(Path.of(System.getProperty("java.home"), "bin")));
    run(
        builder,
        root.resolve("java/bin/java"),
        "no Java runtime was made; it needs a JDK with jlink");
  }

  private void archive() throws IOException, InterruptedException {
    Path state = root.resolve("state");
    ProcessBuilder builder = new ProcessBuilder(command("serve", "--check"));
    builder.environment().put("PATH", path());
    builder.environment().putAll(ServiceProcess.own(state));
    builder.environment().put("JAVA_OPTS", "-XX:ArchiveClassesAtExit=" + root.resolve(ARCHIVE));
    run(builder, root.resolve(ARCHIVE), "no archive of classes was made");
    Folders.delete(state);
  }

  private static String first(Path bin) {
    return bin + ":" + System.getenv("PATH");
  }

  private void run(ProcessBuilder builder, Path made, String failure)
      throws IOException, InterruptedException {
    Path log = root.resolve(made.getFileName() + ".log");
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    if (builder.start().waitFor() != 0 || !Files.exists(made)) {
      throw new IOException(failure + ":\n" + Files.readString(log));
    }
  }
}
