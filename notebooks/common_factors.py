"""Do owners share ups and downs that tell what comes? Usage: common_factors.py HISTORY... (what `berth import` makes).

Every owner's mean usage, less its daily curve, is predicted by a ridge regression on its own last hour, and on that and the last hour of what the
cluster's first three common factors (principal components, without the owner's own share) say of it; one regression for all owners. Factors and
daily curves are those of the first three tenths of the time, the regression that of the next three, judged is the rest.

Prints the share of what is left after the daily curve that three factors explain at the same instant, beside that of series shifted against each
other by chance, what the own last hour tells of what comes, and how much of the squared error of that prediction the factors take away (95 %
interval: bootstrap over owners).
"""

import pathlib
import sys
import warnings

import numpy as np
from learnable import DAY, gain, read
from sklearn.linear_model import RidgeCV

FACTORS = 3
LAGS = [0, 1, 2, 3, 6, 12]  # steps of five minutes
OWNERS = 300  # those recorded longest
LEAST = 24  # values of an owner in the first part
PENALTIES = [1, 10, 100, 1_000, 10_000, 100_000]  # chosen on the fitted part


def series(file):
    """Mean usage of each owner, steps in rows, owners in columns, each with a mean of one; NaN where nothing was recorded."""
    rows = read(file)
    step = int(rows[0]["step"])
    begin = min(int(r["from"]) for r in rows)
    steps = max((int(r["from"]) - begin) // step + int(r["steps"]) for r in rows)
    sums, counts = {}, {}
    for r in rows:
        at = (int(r["from"]) - begin) // step
        cpu = np.array(r["cpu"].split(), float)
        sums.setdefault(r["owner"], np.zeros(steps))[at : at + len(cpu)] += cpu
        counts.setdefault(r["owner"], np.zeros(steps))[at : at + len(cpu)] += 1
    longest = sorted(sums, key=lambda o: (-np.count_nonzero(counts[o]), o))[:OWNERS]
    with np.errstate(invalid="ignore"):
        table = np.column_stack([sums[o] / counts[o] for o in longest])
    return table / np.nanmean(table, axis=0), DAY // step


def without_day(table, day, fitted):
    """Less the mean of each hour of the day, in standard deviations, as the fitted part has them."""
    # Hours that an owner was never seen at count as its mean.
    hour = (np.arange(len(table)) % day) * 24 // day
    curve = np.stack([np.nan_to_num(np.nanmean(np.where((hour == h)[:fitted, None], table[:fitted], np.nan), axis=0), nan=1.0) for h in range(24)])
    left = table - curve[hour]
    return np.clip(left / np.nanstd(left[:fitted], axis=0), -3, 3)  # one spike is no factor


def loadings(left):
    """The first principal components, as rows over the owners, and the share of the variance that they explain."""
    known = np.nan_to_num(left)
    _, values, rows = np.linalg.svd(known - known.mean(axis=0), full_matrices=False)
    return rows[:FACTORS], (values[:FACTORS] ** 2).sum() / (values**2).sum()


def rows_of(known, left, factors, rows, o, ahead, loaded, fitted):
    """Of one owner, at every instant: its own last hour, and what the factors of all others say of it; what came; fitted and judged apart."""
    own, common = known[:, o], (factors - known[:, [o]] * rows[:, o]) @ rows[:, o]
    times = np.arange(max(LAGS), len(known) - ahead)
    times = times[np.isfinite(left[times, o]) & np.isfinite(left[times + ahead, o])]
    fit, judge = times[(times >= loaded) & (times + ahead < fitted)], times[times >= fitted]
    x, unseen = (np.column_stack([c[t - lag] for c in (own, common) for lag in LAGS]) for t in (fit, judge))
    return x, known[fit + ahead, o], unseen, known[judge + ahead, o], np.full(len(judge), o)


def main():
    warnings.filterwarnings("ignore", "Mean of empty slice")
    rng = np.random.default_rng(1)
    print("| history | owners | three factors explain, % | shifted by chance | minutes ahead | an owner's own last hour tells | less squared error with the factors, % |")
    print("|---|---|---|---|---|---|---|")
    for file in map(pathlib.Path, sys.argv[1:]):
        table, day = series(file)
        loaded, fitted = len(table) * 3 // 10, len(table) * 6 // 10
        table = table[:, np.isfinite(table[:loaded]).sum(axis=0) >= LEAST]
        if table.shape[1] <= FACTORS:
            sys.exit(f"{file}: {table.shape[1]} owners are recorded for {LEAST} steps of its first three tenths, {FACTORS} factors need more")
        left = without_day(table, day, loaded)
        rows, share = loadings(left[:loaded])
        chance = loadings(np.column_stack([np.roll(c, rng.integers(len(c))) for c in left[:loaded].T]))[1]
        known = np.nan_to_num(left)
        factors = known @ rows.T
        for ahead in (1, 3, 10):
            parts = [rows_of(known, left, factors, rows, o, ahead, loaded, fitted) for o in range(known.shape[1])]
            x, y, unseen, truth, whose = (np.concatenate(p) for p in zip(*parts, strict=True))
            alone, together = ((truth - RidgeCV(PENALTIES).fit(x[:, :n], y).predict(unseen[:, :n])) ** 2 for n in (len(LAGS), 2 * len(LAGS)))
            print(
                f"| {file.name.split('.')[0]} | {len(np.unique(whose))} | {100 * share:.0f} % | {100 * chance:.0f} % | {5 * ahead} | {100 * (1 - alone.sum() / (truth**2).sum()):.0f} % "
                f"| {gain(alone, together, whose)} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
