package dev.berth.service.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenFileTest {
  @TempDir Path folder;

  @Test
  void aTokenIsOneLine() throws IOException {
    assertThat(TokenFile.read(Files.writeString(folder.resolve("token"), " s3cr3t+/= \n")))
        .isEqualTo("s3cr3t+/=");
  }

  @ParameterizedTest
  @ValueSource(strings = {"secret-1\nsecret-2", "secret key", "secret\u00e9", "secret\u0000"})
  void whatIsNoneIsToldWithoutAWordOfIt(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("token"), text, StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> TokenFile.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file + " has no token: want one line")
        .hasMessageNotContaining("secret")
        .hasNoCause();
  }

  @Test
  void anEmptyFileAndAFolderAreNamed() throws IOException {
    Path empty = Files.writeString(folder.resolve("empty"), "\n");
    assertThatThrownBy(() -> TokenFile.read(empty)).hasMessage(empty + " is empty: want a token");
    assertThatThrownBy(() -> TokenFile.read(folder)).hasMessageContaining("is a folder");
  }

  @Test
  @Timeout(10)
  void aFileWithoutEndIsNoToken() {
    assertThatThrownBy(() -> TokenFile.read(Path.of("/dev/zero")))
        .hasMessageContaining("has no token");
  }
}
