// Sums over nodes: of a group, of the cluster. What is not known does not count, and is counted.

/** @returns {{nodes: number, known: number, mean: number|null, spread: number|null, most: number|null, busiest: number}} */
export function sums(cluster, nodes, view) {
  let known = 0;
  let sum = 0;
  let squares = 0;
  let most = null;
  let busiest = -1;
  for (const i of nodes) {
    const value = cluster.value(i, view);
    if (value === null) {
      continue;
    }
    known += 1;
    sum += value;
    squares += value * value;
    if (most === null || value > most) {
      most = value;
      busiest = i;
    }
  }
  const mean = known ? sum / known : null;
  const spread = known ? Math.sqrt(Math.max(0, squares / known - mean * mean)) : null;
  return { nodes: nodes.length, known, mean, spread, most, busiest };
}
