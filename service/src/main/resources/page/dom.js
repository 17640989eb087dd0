// Elements from data. Text is always text: nothing that a pod's author can name becomes markup.

export const by = (id) => document.getElementById(id);

const SVG = new Set(['svg', 'polyline', 'line']);

/** el('li', {class: 'x', onclick: f}, 'text', child, ...) */
export function el(tag, attributes = {}, ...children) {
  const node = SVG.has(tag) ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (name.startsWith('on')) {
      node.addEventListener(name.slice(2), value);
    } else {
      node.setAttribute(name, value === true ? '' : String(value));
    }
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export function fill(node, ...children) {
  node.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
}

/** A table of texts; `rows` are {cells, class}. */
export function fillTable(table, caption, heads, rows) {
  fill(
    table,
    el('caption', { class: 'visually-hidden' }, caption),
    el('thead', {}, el('tr', {}, ...heads.map((head) => el('th', { scope: 'col' }, head)))),
    el(
      'tbody',
      {},
      ...rows.map((row) =>
        el('tr', { class: row.class }, ...row.cells.map((cell, i) => (i ? el('td', {}, cell) : el('th', { scope: 'row' }, cell)))),
      ),
    ),
  );
}

/** A name and its figure, whose percent sign is not left to the next line. */
export function pair(name, value, kind) {
  return el('div', { class: 'pair' }, el('span', {}, name), el('span', { class: kind }, value.replaceAll(' %', '\u00a0%')));
}
