/** Pictures of results, as PNG files. The only package that knows XChart. */
@NullMarked
package dev.berth.workbench.charts;

import org.jspecify.annotations.NullMarked;
