// The heat map as a thing to use: what it shows, walking over it by mouse, finger and keys, and the same in words.

import { by, el, fill, fillTable } from './dom.js';
import { CHANGE_REACH, colours, hatch, onScheme, scheme } from './colour.js';
import { ahead, count, known, percent, signedPercent } from './format.js';
import { LABEL_FONT, draw, layOut, neighbour, tileAt } from './heat.js';
import { sums } from './groups.js';
import { showNode } from './node.js';

const MAX_ROWS = 200;
const TITLES = {
  cpu: 'CPU measured',
  forecast: 'CPU forecast',
  cpuRequested: 'CPU requested',
  inFlight: 'CPU in flight: come less gone since the last sample',
  memory: 'memory measured',
  memoryRequested: 'memory requested',
};

const canvas = by('canvas');
const heat = by('heat');
const pen = canvas.getContext('2d');
let cluster = null;
let groups = []; // [{name, nodes, sums}]
let order = []; // tile -> node, or tile -> group where a tile is a group
let plan = null;
let chosen = -1;
let due = false;

function view() {
  const form = by('view');
  return {
    show: form.elements.show.value,
    horizon: Number(by('horizon').value),
    group: by('group').value,
    single: by('tiles').value === 'groups',
  };
}

function phrase(milli, show) {
  return show === 'inFlight' ? signedPercent(milli) : percent(milli);
}

/** New figures, or another way to look at them. */
export function show(next) {
  cluster = next;
  redraw();
}

function redraw() {
  if (!due) {
    due = true;
    requestAnimationFrame(() => {
      due = false;
      if (cluster?.ready) {
        const from = performance.now();
        arrange();
        paint();
        tell();
        canvas.dataset.milliseconds = (performance.now() - from).toFixed(1);
      }
    });
  }
}

function arrange() {
  const now = view();
  by('horizon').disabled = now.show !== 'forecast';
  by('horizon').max = cluster.loads.horizons.length - 1;
  const horizon = ahead(cluster.loads.horizons[now.horizon]);
  by('horizon-text').textContent = horizon;
  by('horizon').setAttribute('aria-valuetext', horizon);
  groups = cluster.groups(now.group).map((g) => ({ ...g, sums: sums(cluster, g.nodes, now) }));
  order = now.single ? groups.map((_, i) => i) : groups.flatMap((g) => g.nodes);
  const tiles = now.single
    ? [{ name: '', tiles: groups.length }]
    : groups.map((g) => ({ name: `${g.name} · ${phrase(g.sums.mean, now.show)}`, tiles: g.nodes.length }));
  const room = window.innerWidth <= 600 ? 460 : 540;
  pen.font = LABEL_FONT;
  plan = layOut(tiles, heat.clientWidth, room, now.single, (name) => pen.measureText(name).width);
  chosen = Math.min(chosen, order.length - 1);
}

function paint() {
  const now = view();
  const scale = Math.min(2, window.devicePixelRatio || 1);
  if (canvas.width !== Math.round(plan.width * scale) || canvas.height !== Math.round(plan.height * scale)) {
    canvas.width = Math.round(plan.width * scale);
    canvas.height = Math.round(plan.height * scale);
    canvas.style.height = `${plan.height}px`;
  }
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  const colour = colours(now.show === 'inFlight' ? 'change' : 'share');
  const style = getComputedStyle(document.documentElement);
  const look = { ink: style.getPropertyValue('--ink'), card: style.getPropertyValue('--card'), unknown: hatch(pen) };
  const large = plan.size >= 30;
  draw(
    pen,
    plan,
    (k) => {
      const mean = now.single ? groups[order[k]].sums.mean : cluster.value(order[k], now);
      const text = large ? (now.single ? `${groups[order[k]].name}\n${phrase(mean, now.show)}` : phrase(mean, now.show)) : '';
      const blind = !now.single && now.show === 'forecast' && !cluster.measured(order[k]);
      return { fill: known(mean) ? colour(mean) : null, striped: blind, text: known(mean) || now.single ? text : '?' };
    },
    chosen,
    look,
  );
  canvas.dataset.tiles = order.length;
  canvas.dataset.size = plan.size;
}

function tell() {
  const now = view();
  const places = cluster.places;
  const all = sums(cluster, places, now);
  const title = now.show === 'forecast' ? `${TITLES.forecast}, ${ahead(cluster.loads.horizons[now.horizon])}` : TITLES[now.show];
  const blind = places.filter((i) => !cluster.measured(i)).length;
  fill(
    by('summary'),
    `${title}: `,
    el('strong', {}, all.known ? `mean ${phrase(all.mean, now.show)}, spread ${percent(all.spread, 1)}` : 'unknown'),
    all.busiest >= 0 ? `, most ${phrase(all.most, now.show)} on ${cluster.roster.names[all.busiest]}` : '',
    ` · ${count(places.length)} nodes`,
    all.known < all.nodes ? `, ${count(all.nodes - all.known)} unknown` : '',
    places.length < cluster.size ? ` · ${count(cluster.size - places.length)} not offered to pods` : '',
    blind ? el('span', { class: 'warn' }, ` · ${count(blind)} without a usable sample`) : '',
  );
  heat.setAttribute('aria-label', `Heat map, ${by('summary').textContent}`);
  legend(now);
  if (by('groups').closest('details').open) {
    table(now);
  }
  if (chosen >= 0 && !now.single && !by('node').hidden) {
    showNode(cluster, order[chosen]);
  }
}

function legend(now) {
  const key = `${now.show === 'inFlight'}-${scheme()}`;
  if (by('legend').dataset.key === key) {
    return;
  }
  by('legend').dataset.key = key;
  const bar = el('canvas', { width: 160, height: 14 });
  const paint = bar.getContext('2d');
  const change = now.show === 'inFlight';
  const colour = colours(change ? 'change' : 'share');
  for (let x = 0; x < 160; x++) {
    paint.fillStyle = colour(change ? (x / 80 - 1) * CHANGE_REACH : (x / 160) * 1000);
    paint.fillRect(x, 0, 1, 14);
  }
  const none = el('canvas', { width: 22, height: 14 });
  const stripes = none.getContext('2d');
  stripes.fillStyle = hatch(stripes);
  stripes.fillRect(0, 0, 22, 14);
  fill(
    by('legend'),
    el('span', {}, change ? '−20 %' : '0 %', bar, change ? '+20 % of the node' : '100 %'),
    el('span', {}, none, 'unknown: no usable sample'),
  );
}

function table(now) {
  fillTable(
    by('groups'),
    'What the groups of nodes carry',
    [now.group === 'none' ? 'Group' : now.group, 'Nodes', 'Unknown', 'Mean', 'Spread', 'Most', 'On'],
    groups.slice(0, MAX_ROWS).map((g) => ({
      cells: [
        g.name,
        count(g.sums.nodes),
        count(g.sums.nodes - g.sums.known),
        phrase(g.sums.mean, now.show),
        percent(g.sums.spread, 1),
        phrase(g.sums.most, now.show),
        g.sums.busiest < 0 ? '' : cluster.roster.names[g.sums.busiest],
      ],
    })),
  );
}

function choose(tile, open) {
  if (tile < 0 || !cluster?.ready) {
    return;
  }
  chosen = tile;
  const now = view();
  if (now.single) {
    const g = groups[order[tile]];
    by('under').textContent = `${g.name}: mean ${phrase(g.sums.mean, now.show)} of ${g.sums.nodes} nodes`;
  } else {
    const i = order[tile];
    by('under').textContent = `${cluster.roster.names[i]}: ${phrase(cluster.value(i, now), now.show)}`;
    if (open) {
      showNode(cluster, i);
    }
  }
  paint();
}

function point(event) {
  const box = canvas.getBoundingClientRect();
  return tileAt(plan, event.clientX - box.left, event.clientY - box.top);
}

heat.addEventListener('click', (event) => plan && choose(point(event), true));
heat.addEventListener('mousemove', (event) => {
  const tile = plan ? point(event) : -1;
  const now = view();
  heat.title =
    tile < 0
      ? ''
      : now.single
        ? groups[order[tile]].name
        : `${cluster.roster.names[order[tile]]}: ${phrase(cluster.value(order[tile], now), now.show)}`;
});
heat.addEventListener('keydown', (event) => {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (plan && steps[event.key]) {
    event.preventDefault();
    choose(chosen < 0 ? 0 : neighbour(plan, chosen, ...steps[event.key]), false);
  } else if (plan && event.key === 'Enter') {
    event.preventDefault();
    choose(Math.max(0, chosen), true);
  }
});

by('view').addEventListener('submit', (event) => event.preventDefault());
by('view').addEventListener('input', (event) => {
  if (event.target.id !== 'find') {
    redraw();
    return;
  }
  const wanted = event.target.value.trim();
  const names = cluster?.ready && wanted ? cluster.roster.names : [];
  const found = [];
  for (let i = 0; i < names.length && found.length < 8; i++) {
    if (names[i].includes(wanted)) {
      found.push(names[i]);
    }
  }
  fill(by('found'), ...found.map((name) => el('option', { value: name })));
  const exact = names.indexOf(wanted);
  if (exact >= 0) {
    by('tiles').value = 'nodes';
    arrange();
    choose(order.indexOf(exact), true);
  }
});
by('groups').closest('details').addEventListener('toggle', redraw);
new ResizeObserver(redraw).observe(heat);
onScheme(redraw);
