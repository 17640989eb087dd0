/**
 * Faults of everything around Berth and of Berth itself, on a real control plane with real
 * processes: {@code make test-faults}. A class per kind of fault; {@link
 * dev.berth.workbench.faults.Fault} holds what must be so in all of them.
 */
@NullMarked
package dev.berth.workbench.faults;

import org.jspecify.annotations.NullMarked;
