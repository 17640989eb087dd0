/**
 * The live-cluster side of the command line: the usage exporter for fake nodes, workloads, the
 * table of nodes, cleaning, and the demo.
 *
 * <p>Promises: talks to Kubernetes only through the kubeconfig it is given, and deletes only in
 * namespaces it made or was told to empty. Uses the simulator's usage model and workloads; the
 * scoring service does not depend on this package.
 */
@NullMarked
package dev.berth.workbench.live;

import org.jspecify.annotations.NullMarked;
