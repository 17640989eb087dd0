package dev.berth.workbench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Scheduler, API server and etcd end in mid-burst; bursts, and nodes that come and go. */
@Tag("faults")
@ExtendWith(FaultCluster.Shared.class)
@Timeout(300)
class ControlPlaneFaultsTest {
  private final FaultCluster cluster;

  ControlPlaneFaultsTest(FaultCluster cluster) {
    this.cluster = cluster;
  }

  @Test
  @Tag("cluster")
  void theSchedulerIsKilledInMidBurst() throws Exception {
    during("scheduler killed in mid-burst", "kube-scheduler");
  }

  @Test
  void theApiServerIsKilledInMidBurst() throws Exception {
    during("API server killed in mid-burst", "kube-apiserver");
  }

  @Test
  void etcdIsKilledInMidBurst() throws Exception {
    during("etcd killed in mid-burst", "etcd");
  }

  /** A component is killed while 100 pods are on their way, and started again. */
  private void during(String name, String component) throws Exception {
    new Fault(cluster, name)
        .ends(component)
        .pods(1, 100)
        .inMidBurst(
            () -> {
              cluster.kill(component);
              cluster.mend();
              cluster.mend(); // the controller manager ends when it could not renew its lease
            })
        .play();
  }

  @Test
  void aThousandPods() throws Exception {
    new Fault(cluster, "1,000 pods of one Deployment").pods(1, 1000).mends(cluster::empty).play();
  }

  @Test
  void nodesComeAndGo() throws Exception {
    Node[] gone = new Node[2];
    new Fault(cluster, "two of ten nodes deleted in mid-burst, with their pods, and back")
        .pods(5, 20)
        .inMidBurst(() -> delete(gone))
        .meanwhile(() -> assertThat(cluster.client().nodes().withName("node-0").get()).isNull())
        .mends(
            () -> {
              for (Node node : gone) {
                node.getMetadata().setResourceVersion(null);
                node.getMetadata().setUid(null);
                cluster.client().resource(node).create();
              }
            })
        .play();
  }

  private void delete(Node[] gone) {
    for (int i = 0; i < gone.length; i++) {
      gone[i] = cluster.client().nodes().withName("node-" + i).get();
      cluster.client().nodes().withName("node-" + i).delete();
    }
  }
}
