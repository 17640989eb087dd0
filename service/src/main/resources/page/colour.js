// Colours of a share, for both schemes. Blue up to 80 %, orange to red above: hot nodes stand out, also for who sees no
// red and green.

const LIGHT = [[0, '#eaf2f9'], [0.25, '#b7d4ea'], [0.5, '#6aaed6'], [0.75, '#2f7ebc'], [0.8, '#e9a13b'], [0.9, '#d8572a'], [1, '#8f0d1c']];
const DARK = [[0, '#1d2a36'], [0.25, '#22465f'], [0.5, '#2f76a3'], [0.75, '#6cb9ea'], [0.8, '#f0b252'], [0.9, '#ff7a45'], [1, '#ff4d5e']];
const CHANGE_LIGHT = [[0, '#00695c'], [0.5, '#f0f2f4'], [1, '#b2400e']];
const CHANGE_DARK = [[0, '#4fd1bd'], [0.5, '#222d38'], [1, '#ff9457']];
const STEPS = 256;

const dark = window.matchMedia('(prefers-color-scheme: dark)');

function channels(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

function ramp(stops) {
  return Array.from({ length: STEPS }, (_, step) => {
    const x = step / (STEPS - 1);
    const next = Math.max(1, stops.findIndex(([at]) => at >= x));
    const [from, a] = stops[next - 1];
    const [to, b] = stops[next];
    const mix = (x - from) / (to - from);
    const low = channels(a);
    return `rgb(${channels(b).map((high, i) => Math.round(low[i] + mix * (high - low[i]))).join(' ')})`;
  });
}

const ramps = { share: { light: ramp(LIGHT), dark: ramp(DARK) }, change: { light: ramp(CHANGE_LIGHT), dark: ramp(CHANGE_DARK) } };

/** In flight is a change, in thousandths of a node, both ways up to a fifth of it. */
export const CHANGE_REACH = 200;

export function scheme() {
  return dark.matches ? 'dark' : 'light';
}

export function onScheme(listener) {
  dark.addEventListener('change', listener);
}

/** @returns a function of thousandths */
export function colours(kind) {
  const palette = ramps[kind][scheme()];
  return kind === 'change'
    ? (milli) => palette[Math.max(0, Math.min(255, Math.round(((milli + CHANGE_REACH) / (2 * CHANGE_REACH)) * 255)))]
    : (milli) => palette[Math.max(0, Math.min(255, Math.round((milli / 1000) * 255)))];
}

/** Grey stripes: nothing is known. */
export function hatch(context) {
  const size = 6;
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const pen = tile.getContext('2d');
  pen.fillStyle = scheme() === 'dark' ? '#2b333b' : '#e4e7ea';
  pen.fillRect(0, 0, size, size);
  pen.strokeStyle = scheme() === 'dark' ? '#7d8994' : '#8a949e';
  pen.lineWidth = 1.3;
  pen.beginPath();
  pen.moveTo(0, size);
  pen.lineTo(size, 0);
  pen.moveTo(-1, 1);
  pen.lineTo(1, -1);
  pen.moveTo(size - 1, size + 1);
  pen.lineTo(size + 1, size - 1);
  pen.stroke();
  return context.createPattern(tile, 'repeat');
}
