/** A box to be placed: a state, or the words of an arrow. */
export interface Box {
  readonly width: number;
  readonly height: number;
}

export interface Arrow {
  readonly from: number;
  readonly to: number;
  /** The room its words take, if it has any. */
  readonly label?: Box;
}

export interface Placed {
  /** The middle of each box. */
  readonly boxes: readonly Point[];
  /** The points each arrow goes through, from the middle of one box to that of another. */
  readonly arrows: readonly { readonly points: readonly Point[]; readonly label?: Point }[];
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const gap = { between: 28, layer: 48 };
/** So many places for arrows to pass by boxes; beyond that they go straight. */
const mostPlaces = 6000;

interface Node {
  readonly width: number;
  readonly height: number;
  layer: number;
  x: number;
  order: number;
  readonly above: number[];
  readonly below: number[];
}

/** Puts boxes into layers so that arrows lead down, and keeps arrows and their words clear of boxes. */
export function layOut(boxes: readonly Box[], arrows: readonly Arrow[], first = 0): Placed {
  const turned = backArrows(boxes.length, arrows, first);
  const layers = layersOf(boxes.length, arrows, turned);
  // Words stand between layers, so that there are twice as many.
  const nodes: Node[] = boxes.map((box, at) => node(box, (layers[at] ?? 0) * 2));
  let places = 0;
  const chains = arrows.map(({ from, to, label }, at) => {
    const [top, bottom] = turned.has(at) ? [to, from] : [from, to];
    const start = nodes[top]?.layer ?? 0;
    const end = nodes[bottom]?.layer ?? 0;
    const middle = start + 1 + 2 * Math.floor((end - start - 2) / 4);
    const chain = [top];
    const isLong = end - start > 2 && (places += end - start) > mostPlaces;
    for (let layer = start + 1; layer < end; layer++) {
      if (isLong && layer !== middle) continue;
      const size = layer === middle && label ? label : { width: 2, height: 0 };
      chain.push(nodes.push(node(size, layer)) - 1);
    }
    chain.push(bottom);
    for (let step = 1; step < chain.length; step++) link(nodes, chain[step - 1] ?? 0, chain[step] ?? 0);
    return { chain, at, middle, isTurned: turned.has(at), isSelf: from === to };
  });
  const rows = rowsOf(nodes);
  arrange(rows, nodes);
  place(rows, nodes);
  const tops = heights(rows, nodes);
  const middleOf = (at: number): Point => ({ x: nodes[at]?.x ?? 0, y: tops.middle(nodes[at]?.layer ?? 0) });
  return {
    boxes: boxes.map((_, at) => middleOf(at)),
    arrows: chains.map(({ chain, middle, isTurned }) => {
      const words = chain.find((each) => each >= boxes.length && nodes[each]?.layer === middle);
      // Past a row an arrow goes straight, and turns between rows.
      const points = chain.flatMap((each) => {
        const { x, y } = middleOf(each);
        const half = tops.height(nodes[each]?.layer ?? 0) / 2;
        return each < boxes.length
          ? [{ x, y }]
          : [
              { x, y: y - half },
              { x, y: y + half },
            ];
      });
      return {
        points: isTurned ? points.toReversed() : points,
        ...(words === undefined ? {} : { label: middleOf(words) }),
      };
    }),
    width: Math.max(0, ...rows.map((row) => row.reduce((most, at) => Math.max(most, right(nodes, at)), 0))),
    height: tops.total,
  };
}

const node = ({ width, height }: Box, layer: number): Node => ({
  width,
  height,
  layer,
  x: 0,
  order: 0,
  above: [],
  below: [],
});

const right = (nodes: readonly Node[], at: number): number =>
  (nodes[at]?.x ?? 0) + (nodes[at]?.width ?? 0) / 2;

function link(nodes: readonly Node[], from: number, to: number): void {
  nodes[from]?.below.push(to);
  nodes[to]?.above.push(from);
}

/** Arrows that lead back to where one came from; they are laid out the other way round. */
function backArrows(count: number, arrows: readonly Arrow[], first: number): ReadonlySet<number> {
  const out: number[][] = Array.from({ length: count }, () => []);
  for (const [at, { from }] of arrows.entries()) out[from]?.push(at);
  const state = new Uint8Array(count);
  const turned = new Set<number>();
  const roots = [first, ...Array.from({ length: count }, (_, at) => at)];
  for (const root of roots) {
    if (state[root] !== 0) continue;
    const stack = [{ at: root, next: 0 }];
    state[root] = 1;
    while (stack.length > 0) {
      const top = stack.at(-1);
      if (!top) break;
      const arrow = out[top.at]?.[top.next++];
      if (arrow === undefined) {
        state[top.at] = 2;
        stack.pop();
        continue;
      }
      const to = arrows[arrow]?.to ?? 0;
      if (state[to] === 1) turned.add(arrow);
      else if (state[to] === 0) {
        state[to] = 1;
        stack.push({ at: to, next: 0 });
      }
    }
  }
  return turned;
}

/** As far down as the longest way there. */
function layersOf(count: number, arrows: readonly Arrow[], turned: ReadonlySet<number>): number[] {
  const out: number[][] = Array.from({ length: count }, () => []);
  const waits = Array.from({ length: count }, () => 0);
  for (const [at, { from, to }] of arrows.entries()) {
    if (from === to) continue;
    const [top, bottom] = turned.has(at) ? [to, from] : [from, to];
    out[top]?.push(bottom);
    waits[bottom] = (waits[bottom] ?? 0) + 1;
  }
  const layers = Array.from({ length: count }, () => 0);
  const ready = waits.flatMap((left, at) => (left === 0 ? [at] : []));
  for (const at of ready) {
    for (const to of out[at] ?? []) {
      layers[to] = Math.max(layers[to] ?? 0, (layers[at] ?? 0) + 1);
      const left = (waits[to] ?? 0) - 1;
      waits[to] = left;
      if (left === 0) ready.push(to);
    }
  }
  return layers;
}

function rowsOf(nodes: readonly Node[]): number[][] {
  const rows: number[][] = [];
  for (const [at, { layer }] of nodes.entries()) (rows[layer] ??= []).push(at);
  return Array.from(rows, (row) => row ?? []);
}

/** Sorts each layer by where its neighbours stand, down and up a few times, so that fewer arrows cross. */
function arrange(rows: readonly number[][], nodes: readonly Node[]): void {
  const settle = (row: readonly number[]): void => {
    for (const [order, at] of row.entries()) if (nodes[at]) nodes[at].order = order;
  };
  rows.forEach(settle);
  for (let turn = 0; turn < 6; turn++) {
    const down = turn % 2 === 0;
    for (const row of down ? rows : rows.toReversed()) {
      const mean = new Map(
        row.map((at) => {
          const near = (down ? nodes[at]?.above : nodes[at]?.below) ?? [];
          const sum = near.reduce((total, each) => total + (nodes[each]?.order ?? 0), 0);
          return [at, near.length === 0 ? (nodes[at]?.order ?? 0) : sum / near.length];
        }),
      );
      row.sort((a, b) => (mean.get(a) ?? 0) - (mean.get(b) ?? 0));
      settle(row);
    }
  }
}

/** Side by side at first, then each as near to the middle of its neighbours as the others let it. */
function place(rows: readonly number[][], nodes: readonly Node[]): void {
  for (const row of rows) spread(row, nodes, () => 0);
  for (let turn = 0; turn < 8; turn++) {
    const down = turn % 2 === 0;
    for (const row of down ? rows : rows.toReversed())
      spread(row, nodes, (at) => {
        const one = nodes[at];
        const near = (down ? one?.above : one?.below) ?? [];
        const all = near.length > 0 ? near : ((down ? one?.below : one?.above) ?? []);
        return all.length === 0
          ? (one?.x ?? 0)
          : all.reduce((sum, each) => sum + (nodes[each]?.x ?? 0), 0) / all.length;
      });
  }
  let least = 0;
  for (const one of nodes) least = Math.min(least, one.x - one.width / 2);
  for (const one of nodes) one.x -= least;
}

function spread(row: readonly number[], nodes: readonly Node[], wanted: (at: number) => number): void {
  const want = row.map(wanted);
  const distance = (a: number | undefined, b: number | undefined): number =>
    ((nodes[a ?? -1]?.width ?? 0) + (nodes[b ?? -1]?.width ?? 0)) / 2 + gap.between;
  const fromLeft: number[] = [];
  for (const [at, one] of row.entries())
    fromLeft.push(
      at === 0
        ? (want[0] ?? 0)
        : Math.max(want[at] ?? 0, (fromLeft[at - 1] ?? 0) + distance(row[at - 1], one)),
    );
  const fromRight: number[] = [];
  for (let at = row.length - 1; at >= 0; at--)
    fromRight[at] =
      at === row.length - 1
        ? (want[at] ?? 0)
        : Math.min(want[at] ?? 0, (fromRight[at + 1] ?? 0) - distance(row[at], row[at + 1]));
  // Between pushing to the right and pushing to the left; both keep the distance, and so does their mean.
  for (const [at, one] of row.entries()) {
    const found = nodes[one];
    if (found) found.x = ((fromLeft[at] ?? 0) + (fromRight[at] ?? 0)) / 2;
  }
}

interface Heights {
  middle(layer: number): number;
  height(layer: number): number;
  readonly total: number;
}

function heights(rows: readonly number[][], nodes: readonly Node[]): Heights {
  const middles: number[] = [];
  const all = rows.map((row) => row.reduce((most, at) => Math.max(most, nodes[at]?.height ?? 0), 0));
  let y = 0;
  for (const height of all) {
    middles.push(y + height / 2);
    y += height + gap.layer / 2;
  }
  return {
    middle: (layer) => middles[layer] ?? 0,
    height: (layer) => all[layer] ?? 0,
    total: Math.max(0, y - gap.layer / 2),
  };
}
