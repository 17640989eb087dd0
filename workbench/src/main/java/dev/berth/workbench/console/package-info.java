/**
 * What long commands show on the terminal while they work. The only package that knows ProgressBar.
 */
@NullMarked
package dev.berth.workbench.console;

import org.jspecify.annotations.NullMarked;
