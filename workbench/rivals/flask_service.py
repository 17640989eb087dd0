"""What schedulers of this kind asked before: a Flask service that scores nodes with a PyTorch network, once for every pod.

Usage: flask_service.py --server flask|waitress [--inputs N] [--hidden N,N] [--threads N]. Prints "listening on PORT" and ends with
its standard input, so that it never outlives who started it.

Our own code, for `make bench-score`. It is after what such services have in common: a pod and its candidates in as JSON, one tensor forward pass
over all of them, scores out as JSON. The network is that of Berth's dqn, the difference of a value after and before the placement, with weights as
they are drawn: what they are makes no difference in time. It keeps no books, stores nothing and learns nothing, which Berth does meanwhile.
"""

import argparse
import os
import re
import sys
import threading

import numpy as np
import orjson
import torch
from flask import Flask, Response, request

LOADS = 9  # each a value and its deviation from the candidates' mean
MEBI = 2**20
SUFFIX = {"": 1, "m": 1e-3, "Ki": 2**10, "Mi": MEBI, "Gi": 2**30, "Ti": 2**40}
QUANTITY = re.compile(r"([0-9.]+)([a-zA-Z]*)")


class Value(torch.nn.Module):
    """Berth's value network: layers shared by all rows, and a linear skip from the inputs to the output."""

    def __init__(self, inputs: int, hidden: list[int]):
        super().__init__()
        widths = [inputs, *hidden]
        layers = []
        for fan_in, width in zip(widths, widths[1:]):
            layers += [torch.nn.Linear(fan_in, width), torch.nn.ReLU()]
        self.layers = torch.nn.Sequential(*layers, torch.nn.Linear(widths[-1], 1))
        self.skip = torch.nn.Linear(inputs, 1, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (self.layers(x) + self.skip(x)).squeeze(1)


def rows(inputs: int, capacity: np.ndarray, used: np.ndarray, pod: tuple[float, float]) -> np.ndarray:
    """Features after and before the placement, [2 * nodes, inputs]: what a request alone can tell, the others 0.

    capacity, used: CPU, memory and pods of every node, [3, nodes]; pod: its CPU and memory.
    """
    nodes = capacity.shape[1]
    share = used / capacity
    more = np.array([[pod[0]], [pod[1]], [1.0]]) / capacity
    which = [0, 0, 0, 0, 0, 0, 1, 2, 0]  # five horizons of CPU, CPU, memory, pods, the owner's CPU
    load, added = share[which], more[which]
    deviation = 4 * (load - load.mean(axis=1, keepdims=True))
    out = np.zeros((2, nodes, inputs), dtype=np.float32)
    out[1, :, 0 : 2 * LOADS : 2] = load.T
    out[1, :, 1 : 2 * LOADS : 2] = deviation.T
    out[:, :, 2 * LOADS] = share[0]
    out[:, :, 2 * LOADS + 1] = capacity[0] / capacity[0].mean() - 1
    out[0] = out[1]
    out[0, :, 0 : 2 * LOADS : 2] += added.T
    out[0, :, 1 : 2 * LOADS : 2] += 4 * (1 - 1 / nodes) * added.T
    return out.reshape(2 * nodes, inputs)


def scores(network: Value, inputs: int, capacity: np.ndarray, used: np.ndarray, pod: tuple[float, float]) -> list[int]:
    """0 to 100, the best node first: one forward pass over all rows."""
    with torch.inference_mode():
        after, before = network(torch.from_numpy(rows(inputs, capacity, used, pod))).chunk(2)
        q = after - before
        low, high = q.min(), q.max()
        return (100 * (q - low) / (high - low).clamp(min=1e-9)).round().int().tolist()


def quantity(text: str) -> float:
    """A Kubernetes quantity, such as 500m or 64Gi."""
    number, suffix = QUANTITY.fullmatch(text).groups()
    return float(number) * SUFFIX[suffix]


def service(network: Value, inputs: int) -> Flask:
    app = Flask(__name__)

    @app.post("/score")
    def of_objects() -> dict:
        """As they had it: a whole Pod and a whole Node per candidate, read by Flask."""
        body = request.get_json()
        limits = [node["status"]["allocatable"] for node in body["nodes"]]
        capacity = np.array([[quantity(a[k]) for a in limits] for k in ("cpu", "memory", "pods")])
        wanted = body["pod"]["spec"]["containers"][0]["resources"]["requests"]
        pod = quantity(wanted["cpu"]), quantity(wanted["memory"])
        names = [node["metadata"]["name"] for node in body["nodes"]]
        return {"scores": dict(zip(names, scores(network, inputs, capacity, np.zeros_like(capacity), pod)))}

    @app.post("/columns")
    def of_columns() -> Response:
        """At its best: Berth's own small question, a column per quantity, by the fastest JSON there is."""
        body = orjson.loads(request.get_data(cache=False))
        nodes = body["nodes"]
        capacity = np.array([nodes["cpuMilli"], nodes["memoryBytes"], nodes["podLimit"]], dtype=float)
        used = np.array([nodes["cpuRequestedMilli"], nodes["memoryRequestedBytes"], nodes["podCount"]], dtype=float)
        pod = body["pod"]["cpuMilli"], body["pod"]["memoryBytes"]
        found = scores(network, inputs, capacity, used, pod)
        return Response(orjson.dumps({"decision": body["decision"], "scores": found}), mimetype="application/json")

    return app


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", choices=["flask", "waitress"], default="flask")
    parser.add_argument("--inputs", type=int, default=31, help="features of a row")
    parser.add_argument("--hidden", default="32,32", help="widths of the hidden layers")
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch; more than one costs more than it brings at this size")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(1)
    network = Value(args.inputs, [int(width) for width in args.hidden.split(",")]).eval()
    app = service(network, args.inputs)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    if args.server == "flask":  # its development server, with which such services were shipped
        from werkzeug.serving import make_server

        server = make_server("127.0.0.1", 0, app, threaded=True)
        print(f"listening on {server.port}", flush=True)
        server.serve_forever()
    else:
        import waitress

        server = waitress.create_server(app, host="127.0.0.1", port=0, threads=1, inbuf_overflow=64 * MEBI)
        print(f"listening on {server.effective_port}", flush=True)
        server.run()


if __name__ == "__main__":
    main()
