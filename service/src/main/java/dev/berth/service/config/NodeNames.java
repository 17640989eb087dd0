package dev.berth.service.config;

import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** How a series is matched with a Kubernetes node. */
public record NodeNames(
    @Doc("Labels that may name the node; the first one present on a series counts.")
        List<String> labels,
    @Doc("Cut `:9100` and the like from the label's value.") boolean stripPort,
    @Doc("Regular expression that the whole value must match; empty skips this step.") String regex,
    @Doc("What the value becomes when `regex` matches; `$1` is its first group.")
        String replacement,
    @Doc(
            "Query whose series translate the value into the node's name, for example"
                + " `node_uname_info` or `kube_node_info`; empty skips this step.")
        String query,
    @Doc("Label of `query` that holds the value to look up; its port is cut as above.")
        String keyLabel,
    @Doc("Label of `query` that holds the node's name.") String nameLabel) {

  public NodeNames {
    labels = List.copyOf(labels);
    Check.that(!labels.isEmpty(), "labels", "a list such as [node, instance]", labels);
    Check.that(compiles(regex), "regex", "a Java regular expression", regex);
    Check.that(!keyLabel.isBlank(), "key-label", "a label such as instance", "''");
    Check.that(!nameLabel.isBlank(), "name-label", "a label such as nodename", "''");
  }

  private static boolean compiles(String regex) {
    try {
      Pattern.compile(regex);
      return true;
    } catch (PatternSyntaxException e) {
      return false;
    }
  }

  static NodeNames defaults() {
    return new NodeNames(List.of("node", "instance"), true, "", "$1", "", "instance", "nodename");
  }
}
