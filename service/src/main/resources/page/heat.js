// Where each tile of the heat map lies, and its drawing: arithmetic and a canvas, nothing else.

export const LABEL_FONT = '13px system-ui, "DejaVu Sans", sans-serif';
const LABEL = 18;
const GAP = 10;
const SIZES = [68, 52, 40, 32, 26, 22, 18, 15, 12, 10, 8, 7, 6, 5, 4, 3];
const GROUP_SIZES = [120, 96, 76, 60, 48, 38, 30, 24, 18, 14, 10, 8];

/**
 * Blocks of equal tiles, a block a group, flowing like words; the largest tiles that fit into the height.
 *
 * @param groups [{name, tiles: number}]
 * @param textWidth of a label, in pixels
 * @returns {{size, height, width, blocks: [{x, y, columns, from, tiles, name, label: boolean}]}}
 */
export function layOut(groups, width, maxHeight, single, textWidth) {
  const sizes = single ? GROUP_SIZES : SIZES;
  for (const size of sizes) {
    const plan = flow(groups, width, size, single, textWidth);
    if (plan.height <= maxHeight || size === sizes.at(-1)) {
      return plan;
    }
  }
}

function flow(groups, width, size, single, textWidth) {
  const labelled = !single && groups.length <= 60;
  const top = labelled ? LABEL : 0;
  const gap = single ? 4 : labelled ? GAP : 4;
  const blocks = [];
  let x = 0;
  let y = 0;
  let rowHeight = 0;
  let from = 0;
  for (const group of groups) {
    const most = Math.max(1, Math.floor(width / size));
    const columns = Math.min(most, group.tiles, Math.max(1, Math.ceil(Math.sqrt(group.tiles * (groups.length < 3 ? 4 : 1.8)))));
    const blockWidth = Math.min(width, Math.max(columns * size, labelled ? textWidth(group.name) : 0));
    const blockHeight = top + Math.ceil(group.tiles / columns) * size;
    if (x > 0 && x + blockWidth > width) {
      x = 0;
      y += rowHeight + gap;
      rowHeight = 0;
    }
    blocks.push({ x, y: y + top, columns, from, tiles: group.tiles, name: group.name, label: labelled, width: blockWidth });
    from += group.tiles;
    x += blockWidth + gap;
    rowHeight = Math.max(rowHeight, blockHeight);
  }
  return { size, width, height: y + rowHeight, blocks, single };
}

/** Left upper corner of a tile. */
export function corner(plan, block, k) {
  return [block.x + (k % block.columns) * plan.size, block.y + Math.floor(k / block.columns) * plan.size];
}

/** Number of the tile under a point, -1 for none. */
export function tileAt(plan, x, y) {
  for (const block of plan.blocks) {
    const column = Math.floor((x - block.x) / plan.size);
    const row = Math.floor((y - block.y) / plan.size);
    const k = row * block.columns + column;
    if (column >= 0 && column < block.columns && row >= 0 && k < block.tiles) {
      return block.from + k;
    }
  }
  return -1;
}

/** The tile a step away within the map, by its place on it; the same where there is none. */
export function neighbour(plan, tile, dx, dy) {
  const block = plan.blocks.find((b) => tile >= b.from && tile < b.from + b.tiles);
  if (!block) {
    return 0;
  }
  const last = plan.blocks.at(-1);
  if (dx !== 0) {
    return Math.max(0, Math.min(last.from + last.tiles - 1, tile + dx));
  }
  const next = tile - block.from + dy * block.columns;
  if (next >= 0 && next < block.tiles) {
    return block.from + next;
  }
  const [x, y] = corner(plan, block, tile - block.from);
  for (let step = plan.size; step < plan.height; step += plan.size / 2) {
    const found = tileAt(plan, x + plan.size / 2, y + plan.size / 2 + dy * step);
    if (found >= 0 && found !== tile) {
      return found;
    }
  }
  return tile;
}

/**
 * @param tile {(k) => {fill, striped, text}} of each tile
 * @param look {ink, card, unknown (a pattern)}
 */
export function draw(context, plan, tile, chosen, look) {
  context.clearRect(0, 0, plan.width, plan.height);
  const inner = plan.size - (plan.size > 6 ? 1 : plan.size > 4 ? 0.5 : 0);
  for (const block of plan.blocks) {
    if (block.label) {
      context.fillStyle = look.ink;
      context.font = LABEL_FONT;
      context.textAlign = 'left';
      context.textBaseline = 'alphabetic';
      context.fillText(block.name, block.x, block.y - 5, block.width);
    }
    for (let k = 0; k < block.tiles; k++) {
      const [x, y] = corner(plan, block, k);
      const { fill, striped, text } = tile(block.from + k);
      context.fillStyle = fill ?? look.unknown;
      context.fillRect(x, y, inner, inner);
      if (striped) {
        context.globalAlpha = 0.55;
        context.fillStyle = look.unknown;
        context.fillRect(x, y, inner, inner);
        context.globalAlpha = 1;
      }
      if (text && plan.size >= 30) {
        write(context, text, x + inner / 2, y + inner / 2, inner, look);
      }
    }
  }
  if (chosen >= 0) {
    const block = plan.blocks.find((b) => chosen >= b.from && chosen < b.from + b.tiles);
    if (block) {
      const [x, y] = corner(plan, block, chosen - block.from);
      context.lineWidth = 3;
      context.strokeStyle = look.ink;
      context.strokeRect(x + 1, y + 1, inner - 2, inner - 2);
      context.lineWidth = 1;
      context.strokeStyle = look.card;
      context.strokeRect(x + 1, y + 1, inner - 2, inner - 2);
    }
  }
}

/** Readable on every fill: light text with a dark edge. */
function write(context, text, x, y, width, look) {
  context.font = `${width >= 60 ? 13 : 11}px system-ui, "DejaVu Sans", sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const lines = text.split('\n').slice(0, width >= 50 ? 2 : 1);
  lines.forEach((line, i) => {
    const at = y + (i - (lines.length - 1) / 2) * 15;
    context.lineWidth = 3;
    context.strokeStyle = look.card;
    context.strokeText(line, x, at, width - 4);
    context.fillStyle = look.ink;
    context.fillText(line, x, at, width - 4);
  });
}
