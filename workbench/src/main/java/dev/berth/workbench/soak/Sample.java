package dev.berth.workbench.soak;

import java.util.Map;

/**
 * One look at the service. Counts are since the start, memory is in MiB, times are of the window
 * since the look before and in milliseconds; NaN is what could not be read.
 *
 * @param seconds since the load began
 * @param phase index
 * @param decisions answered
 * @param errors decisions without a good answer in time
 * @param load of the machine, mean number of runnable threads over a minute
 * @param rss resident set
 * @param peak the largest resident set so far
 * @param heap used, garbage included
 * @param heapSize what the heap has taken of what it may have
 * @param transitions decisions whose reward was measured
 * @param steps gradient steps
 * @param restarts of the learner
 * @param dropped by queue, or by the cause that nothing was learned
 */
public record Sample(
    double seconds,
    int phase,
    long decisions,
    long errors,
    double load,
    double rss,
    double peak,
    double heap,
    double heapSize,
    double p50,
    double p99,
    double max,
    double transitions,
    double steps,
    double restarts,
    Map<String, Double> dropped) {}
