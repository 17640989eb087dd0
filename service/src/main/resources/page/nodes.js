// What is known of the nodes, as the service tells it: a roster of who they are, and columns of what they carry.

export const STATES = { f: 'fresh', g: 'aging', s: 'stale', a: 'never measured' };

export class Cluster {
  roster = null; // {names, zones, zone, ...}
  tag = '';
  loads = null;
  asked = false; // a scheduler has

  /** Both answers must be of the same nodes in the same order. */
  get ready() {
    return this.roster !== null && this.loads !== null && this.loads.roster === this.tag;
  }

  get size() {
    return this.roster.names.length;
  }

  /** A new roster and its tag. */
  take(roster, tag) {
    this.roster = roster;
    this.tag = tag;
    this.asked = roster.offered.includes(1);
  }

  /** Whether pods may go there: until a scheduler has asked, nobody knows, and all count. */
  offered(i) {
    return this.roster.offered[i] === 1 || !this.asked;
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

  /** All that pods may go to. */
  get places() {
    return Array.from({ length: this.size }, (_, i) => i).filter((i) => this.offered(i));
  }

  /** Names of the groups of a kind, and their nodes; those without a name, and no places for pods, come last. */
  groups(kind) {
    const others = { name: 'not offered to pods', nodes: Array.from({ length: this.size }, (_, i) => i).filter((i) => !this.offered(i)) };
    const groups = kind === 'none' ? [{ name: 'all nodes', nodes: this.places }] : this.named(kind);
    return others.nodes.length ? [...groups, others] : groups;
  }

  named(kind) {
    const all = this.roster[`${kind}s`].map((name) => ({ name, nodes: [] }));
    const rest = { name: `no ${kind} known`, nodes: [] };
    for (const i of this.places) {
      const group = this.roster[kind][i];
      (group < 0 ? rest : all[group]).nodes.push(i);
    }
    all.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    return [...all, rest].filter((group) => group.nodes.length);
  }
}
