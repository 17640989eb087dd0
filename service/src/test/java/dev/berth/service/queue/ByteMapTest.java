package dev.berth.service.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ByteMapTest {
  @Test
  void beyondItsBytesTheEldestAreLetGoAndCounted() {
    ByteMap<String> map = new ByteMap<>(100);
    map.put("a", "1", 40);
    map.put("b", "2", 40);
    map.put("a", "3", 40); // anew: it is the youngest now
    map.put("c", "4", 40);
    assertThat(map.take("b")).isNull();
    assertThat(map.letGo()).isOne();
    assertThat(map.take("a")).isEqualTo("3");
    assertThat(map.take("a")).isNull();
    map.put("d", "5", 60); // what was taken has made room
    assertThat(map.take("c")).isEqualTo("4");
    map.put("e", "6", 101);
    assertThat(map.take("e")).as("larger than all there is").isNull();
    assertThat(map.letGo()).isEqualTo(3);
  }
}
