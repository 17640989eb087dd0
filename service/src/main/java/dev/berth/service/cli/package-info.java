/** The operator's commands: one class per subcommand, each only wiring the pieces it names. */
@NullMarked
package dev.berth.service.cli;

import org.jspecify.annotations.NullMarked;
