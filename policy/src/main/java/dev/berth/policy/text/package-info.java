/**
 * Text that people and files hand over, read strictly: units, Kubernetes quantities, YAML with line
 * numbers, JSON into records.
 *
 * <p>Promises: any text gives a value or an {@link IllegalArgumentException} that names it and the
 * fix; readers of whole files throw {@link dev.berth.policy.text.TextException}, which also names
 * the line. Depends on nothing of the project.
 */
@NullMarked
package dev.berth.policy.text;

import org.jspecify.annotations.NullMarked;
