"""What of the forecast's errors can be learned? Fits them on a part of recorded usage and judges on another.

Usage: learnable.py [--small] HISTORIES OUT. HISTORIES is what simulator/scenarios/real/histories.sh makes. Writes OUT/learnable.md; rows of the
simulator (`berth residuals --rows`) stay in OUT, so that what was done is not done again: with other code, take another folder.

Two ways to hold out: by day (fitted on the first part of the days, judged on the rest) and by series (fitted on half of the owners, judged on the
other half, on a third of the nodes). A gain is the share of the filter's squared error that a correction takes away, the R2 of the correction on what
it never saw; its interval is a bootstrap over whole runs.
"""

import argparse
import collections
import csv
import gzip
import os
import pathlib
import re
import subprocess

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import RidgeCV
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

ROOT = pathlib.Path(__file__).resolve().parent.parent
REAL = ROOT / "simulator" / "scenarios" / "real"
DAY = 86_400
Z80 = 1.2816  # four fifths of a normal variable lie within so many standard deviations
LARGEST = 0.3  # of a node: errors beyond teach no more than this

SCENARIOS = {
    "planetlab": [REAL / f"planetlab-{s}.yaml" for s in ("steady-60", "churn-60", "mean-burst-60", "pod-requests-80")],
    "google2011": [REAL / f"google2011-{s}.yaml" for s in ("steady-60", "churn-60", "mean-80")],
    "bitbrains": [REAL / f"bitbrains-{s}.yaml" for s in ("steady-60", "mean-50")],
}
SMALL = {"small": [ROOT / "notebooks" / "learnable-small.yaml"]}
SEEDS = {"bitbrains": 40, "small": 4}  # few pods at Bitbrains, so few decisions a run
HELD_OUT = {"day": ("days-before", "days-after"), "series": ("owners-a", "owners-b")}
WAYS = {"bitbrains": ["day"]}  # half of its hundred machines do not load two nodes


def read(file):
    csv.field_size_limit(1 << 30)
    with (gzip.open if file.suffix == ".gz" else open)(file, "rt") as f:
        return list(csv.DictReader(f))


def stretch(row, since, until):
    """The part of a series between two seconds; None where nothing moves in it."""
    begin, step = int(row["from"]), int(row["step"])
    first = max(0, -(-(since - begin) // step))
    last = min(int(row["steps"]), (until - begin) // step)
    if last - first < 2:
        return None
    cpu, memory = (row[c].split()[first:last] for c in ("cpu", "memory"))
    moves = len(set(cpu)) > 1
    return {**row, "from": begin + first * step, "steps": last - first, "cpu": " ".join(cpu), "memory": " ".join(memory)} if moves else None


def split(rows, grid):
    """The four parts of a history. Days are cut at a whole multiple of `grid` seconds, near three fifths of all pod-hours."""
    begins = np.array([int(r["from"]) for r in rows])
    ends = begins + np.array([int(r["step"]) * int(r["steps"]) for r in rows])
    times = np.arange(begins.min(), ends.max(), grid)
    recorded = np.array([np.clip(t, begins, ends).sum() - begins.sum() for t in times])
    cut = int(times[np.abs(recorded / (ends - begins).sum() - 0.6).argmin()])
    # By turns, those with most pods first, so that both halves have as many.
    sizes = collections.Counter(r["owner"] for r in rows)
    half = set(sorted(sizes, key=lambda o: (-sizes[o], o))[::2])
    return {
        "days-before": [s for r in rows if (s := stretch(r, begins.min(), cut))],
        "days-after": [s for r in rows if (s := stretch(r, cut, ends.max()))],
        "owners-a": [r for r in rows if r["owner"] in half],
        "owners-b": [r for r in rows if r["owner"] not in half],
    }


def scenario_of(part, scenario, out):
    """The scenario itself; for half of the owners the same on a third of the nodes, which they can fill."""
    if not part.startswith("owners"):
        return scenario
    text = re.sub(r"count: (\d+)", lambda m: f"count: {max(1, int(m[1]) // 3)}", scenario.read_text())
    copy = out / "scenarios" / scenario.name
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(text)
    return copy


def rows_of(part, scenarios, seeds, out):
    """Every candidate that the simulator's decisions saw on this part of a history, with what its forecast got wrong."""
    frames = []
    for scenario in scenarios:
        file = out / "rows" / part / f"{scenario.stem}.csv.gz"
        if not file.exists():
            command = [ROOT / "bin" / "berth", "residuals", "--judge", scenario_of(part, scenario, out), "--seeds", seeds, "--rows", file]
            done = subprocess.run(command, cwd=ROOT, env={**os.environ, "BERTH_HISTORIES": str(out / "histories" / part)}, capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}")
        frames.append(pd.read_csv(file))
    return pd.concat(frames, ignore_index=True)


def inputs(rows, deviations):
    """What is known at the decision: of how a node compares with the others, or of the node itself; and the time of day."""
    hour = 2 * np.pi * rows["at"] / DAY
    outcome = re.compile(r"error\d|spread\d")
    names = [c for c in rows.columns[3:] if not outcome.match(c) and c.endswith(".fromMean") == deviations]
    return np.column_stack([rows[names], np.sin(hour), np.cos(hour)])


def linear(x, y, unseen):
    return make_pipeline(StandardScaler(), RidgeCV([300, 3_000, 30_000])).fit(x, y).predict(unseen)


def trees(x, y, unseen):
    model = HistGradientBoostingRegressor(max_iter=80, learning_rate=0.05, max_leaf_nodes=8, min_samples_leaf=200, l2_regularization=50, random_state=1)
    return model.fit(x, y).predict(unseen)


def network(x, y, unseen):
    """32-32, stopped early; ten times an error of a tenth of a node is of the size that it expects."""
    net = MLPRegressor(hidden_layer_sizes=(32, 32), alpha=1, early_stopping=True, max_iter=200, random_state=1)
    return make_pipeline(StandardScaler(), net).fit(x, 10 * y).predict(unseen) / 10


MODELS = [linear, trees, network]


def gain(before, after, runs):
    """Share of a loss that is gone, in percent, with its 95 % interval over runs drawn with replacement."""
    sums = pd.DataFrame({"before": before, "after": after}).groupby(runs).sum().to_numpy()
    drawn = sums[np.random.default_rng(1).integers(0, len(sums), (2_000, len(sums)))].sum(axis=1)
    low, high = np.percentile(100 * (1 - drawn[:, 1] / drawn[:, 0]), [2.5, 97.5])
    text = f"{100 * (1 - sums[:, 1].sum() / sums[:, 0].sum()):+.1f} ({low:+.1f} to {high:+.1f})"
    return f"**{text}**" if low > 0.05 or high < -0.05 else text


def points(fitted, judged, horizon, x, unseen):
    """Of the error as a deviation from the candidates' mean: all of it that a placement can feel."""
    target = f"error{horizon}m.fromMean"
    y, truth = fitted[target].clip(-LARGEST, LARGEST).to_numpy(), judged[target].to_numpy()
    return np.sqrt((truth**2).mean()), [gain(truth**2, (truth - model(x, y, unseen)) ** 2, judged.run) for model in MODELS]


def pinball(truth, low, high):
    return np.maximum(0.1 * (truth - low), -0.9 * (truth - low)) + np.maximum(0.9 * (truth - high), -0.1 * (truth - high))


def quantiles(fitted, judged, horizon, x, unseen):
    """Trees for the 10 % and 90 % quantile of the error against the interval that the forecast stated."""
    spread, target = f"spread{horizon}m", f"error{horizon}m"
    x, unseen = np.column_stack([x, fitted[spread]]), np.column_stack([unseen, judged[spread]])
    low, high = (
        HistGradientBoostingRegressor(loss="quantile", quantile=q, max_iter=80, learning_rate=0.05, max_leaf_nodes=8, min_samples_leaf=200, random_state=1)
        .fit(x, fitted[target])
        .predict(unseen)
        for q in (0.1, 0.9)
    )
    truth, stated = judged[target].to_numpy(), Z80 * judged[spread].to_numpy()
    inside = [100 * ((a <= truth) & (truth <= b)).mean() for a, b in ((-stated, stated), (low, high))]
    return inside, gain(pinball(truth, -stated, stated), pinball(truth, low, high), judged.run)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--small", action="store_true", help="the project's own small history: that it runs, not what it says")
    parser.add_argument("histories", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    args = parser.parse_args()
    histories, out = args.histories.resolve(), args.out.resolve()
    scenarios, horizons = (SMALL, [5]) if args.small else (SCENARIOS, [5, 15, 50])

    first, second = [], []
    for name in scenarios:
        source = next(histories.glob(f"{name}.csv*"))
        for part, rows in split(read(source), 6 * 3600 if args.small else DAY).items():
            file = out / "histories" / part / f"{name}.csv.gz"
            if not file.exists():
                file.parent.mkdir(parents=True, exist_ok=True)
                with gzip.open(file, "wt", newline="") as f:
                    writer = csv.DictWriter(f, rows[0].keys(), lineterminator="\n")
                    writer.writeheader()
                    writer.writerows(rows)
        n = SEEDS.get(name, 10)
        for way in WAYS.get(name, HELD_OUT):
            fit, judge = HELD_OUT[way]
            print(f"{name}, held out by {way}", flush=True)
            fitted = rows_of(fit, scenarios[name], f"1-{n}", out)
            judged = rows_of(judge, scenarios[name], f"9001-{9000 + n}", out)
            for kind, table in ((points, first), (quantiles, second)):
                x, unseen = (inputs(r, kind is points) for r in (fitted, judged))
                for h in horizons:
                    begin = f"| {name} | {way} | {h} | "
                    if kind is points:
                        rmse, gains = points(fitted, judged, h, x, unseen)
                        table.append(begin + f"{len(fitted):,} / {len(judged):,} | {rmse:.4f} | " + " | ".join(gains) + " |")
                    else:
                        (stated, learned), better = quantiles(fitted, judged, h, x, unseen)
                        table.append(begin + f"{stated:.0f} % | {learned:.0f} % | {better} |")
    text = "\n".join(
        [
            "| history | held out by | minutes ahead | candidates fitted / judged | error of the filter, RMSE | linear | trees | network |",
            "|---|---|---|---|---|---|---|---|",
            *first,
            "",
            "| history | held out by | minutes ahead | inside the stated 80 % | inside the learned 80 % | less pinball loss |",
            "|---|---|---|---|---|---|",
            *second,
            "",
        ]
    )
    (out / "learnable.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
