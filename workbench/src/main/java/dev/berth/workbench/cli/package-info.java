/** The workbench's commands: one class per subcommand, each only wiring the pieces it names. */
@NullMarked
package dev.berth.workbench.cli;

import org.jspecify.annotations.NullMarked;
