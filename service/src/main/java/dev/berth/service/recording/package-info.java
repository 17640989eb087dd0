/**
 * What a service saw, kept in a file in the order in which it changed what the service knows, so
 * that it can be fed to the same code again: {@link dev.berth.service.recording.Recorder} writes,
 * {@link dev.berth.service.recording.RecordingReader} reads, {@link
 * dev.berth.service.recording.Replay} feeds.
 *
 * <p>Promises: nothing waits for the file; an entry that is lost is said to be lost, in the file
 * itself; a recording that is cut short or of another schema is refused with its path.
 */
@NullMarked
package dev.berth.service.recording;

import org.jspecify.annotations.NullMarked;
