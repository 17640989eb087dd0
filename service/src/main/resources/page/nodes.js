// What is known of the nodes, as the service tells it: a roster of who they are, and columns of what they carry.

export const STATES = { f: 'fresh', g: 'aging', s: 'stale', a: 'never measured' };

export class Cluster {
  roster = null; // {names, zones, zone, ...}
  tag = '';
  loads = null;

  /** Both answers must be of the same nodes in the same order. */
  get ready() {
    return this.roster !== null && this.loads !== null && this.loads.roster === this.tag;
  }

  get size() {
    return this.roster.names.length;
  }

  /** Thousandths of the node, null where it is not known. */
  value(i, view) {
    return view.show === 'forecast' ? this.loads.forecast[view.horizon][i] : this.loads[view.show][i];
  }

  /** Whether a sample tells of the node: without one, a forecast comes from the bookkeeping alone. */
  measured(i) {
    const state = this.loads.state[i];
    return state === 'f' || state === 'g';
  }

  /** Names of the groups of a kind, and their nodes; those without a name come last. */
  groups(kind) {
    if (kind === 'none') {
      return [{ name: 'all nodes', nodes: Array.from({ length: this.size }, (_, i) => i) }];
    }
    const all = this.roster[`${kind}s`].map((name) => ({ name, nodes: [] }));
    const rest = { name: `no ${kind} known`, nodes: [] };
    this.roster[kind].forEach((group, i) => (group < 0 ? rest : all[group]).nodes.push(i));
    all.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    return rest.nodes.length ? [...all, rest] : all;
  }
}
