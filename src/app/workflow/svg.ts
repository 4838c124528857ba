import { edgeLabel, labelOf, notesOf, stopNotes } from "../../workflow/declared/mermaid.ts";
import type { Workflow } from "../../workflow/declared/model.ts";
import { layOut, type Box, type Point } from "./layout.ts";

const font = { title: 14, note: 11, label: 11 };
const margin = 24;

interface Text {
  readonly lines: readonly string[];
  readonly size: number;
  readonly bold?: true;
}

interface Drawn extends Box {
  readonly texts: readonly Text[];
  readonly full: string;
  readonly kind: "state" | "final" | "any" | "start";
  readonly isHere: boolean;
}

/** A workflow as a picture. `here` are the states it is at. */
export function svgOf(workflow: Workflow, here: readonly string[] = []): string {
  const names = Object.keys(workflow.states);
  const index = new Map(names.map((name, at) => [name, at]));
  const boxes: Drawn[] = names.map((name) => boxOf(workflow, name, here.includes(name)));
  const arrows: { from: number; to: number; text: string }[] = [];
  const start = boxes.push(dot) - 1;
  arrows.push({ from: start, to: index.get(workflow.initial) ?? 0, text: "" });
  let any: number | undefined;
  for (const step of workflow.transitions) {
    const text = edgeLabel(workflow, step);
    const to = index.get(step.to) ?? 0;
    // One box for "any state", or there would be an arrow from everywhere.
    const froms = step.from.includes("*")
      ? [(any ??= boxes.push(anyState()) - 1)]
      : step.from.filter((name) => name !== step.to).flatMap((name) => index.get(name) ?? []);
    for (const from of froms) arrows.push({ from, to, text });
  }
  const labels = arrows.map(({ text }) => (text === "" ? undefined : wordsOf(text)));
  const placed = layOut(
    boxes,
    arrows.map(({ from, to }, at) => ({ from, to, ...(labels[at] ? { label: labels[at].box } : {}) })),
    start,
  );
  const width = Math.ceil(placed.width + 2 * margin);
  const height = Math.ceil(placed.height + 2 * margin);
  const lines = arrows.map(({ from, to }, at) =>
    arrowOf(placed.arrows[at]?.points ?? [], boxes[from], boxes[to]),
  );
  const words = labels.flatMap((label, at) => {
    const point = placed.arrows[at]?.label;
    return label && point ? [wordsAt(label, point, arrows[at]?.text ?? "")] : [];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" role="img">`,
    `<title>${escaped(workflow.summary ?? workflow.name)}</title>`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="#556"/></marker></defs>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<g transform="translate(${margin} ${margin})">`,
    ...lines,
    ...boxes.map((box, at) => drawBox(box, placed.boxes[at] ?? { x: 0, y: 0 })),
    ...words,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

const dot: Drawn = { width: 14, height: 14, texts: [], full: "start", kind: "start", isHere: false };
const anyState = (): Drawn => ({
  ...sized([{ lines: ["any state"], size: font.title }]),
  full: "any state",
  kind: "any",
  isHere: false,
});

function boxOf(workflow: Workflow, name: string, isHere: boolean): Drawn {
  const state = workflow.states[name] ?? { forbid: [], requires: [] };
  const notes = [...notesOf(state), ...stopNotes(workflow, name)];
  const texts: Text[] = [
    { lines: wrapped(labelOf(name, state), 30, 2), size: font.title, bold: true },
    ...notes.slice(0, 8).map((note) => ({ lines: wrapped(note, 40, 3), size: font.note })),
    ...(notes.length > 8 ? [{ lines: [`and ${notes.length - 8} more`], size: font.note }] : []),
  ];
  const full = [labelOf(name, state), ...notes].join("\n");
  return { ...sized(texts), full, kind: state.final ? "final" : "state", isHere };
}

function sized(texts: readonly Text[]): Box & { readonly texts: readonly Text[] } {
  const width = Math.max(
    ...texts.flatMap(({ lines, size, bold }) => lines.map((line) => widthOf(line, size, bold))),
  );
  const height = texts.reduce((sum, { lines, size }) => sum + lines.length * size * 1.35, 0);
  return { texts, width: Math.max(70, width + 24), height: height + 16 };
}

/** Wide enough for what most letters take; those of other scripts take twice as much. */
const widthOf = (text: string, size: number, bold?: true): number =>
  Bun.stringWidth(text) * size * (bold ? 0.72 : 0.58);

/** Lines of so many letters; what does not fit in the last one is left to the title. */
function wrapped(text: string, wide: number, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && Bun.stringWidth(`${last} ${word}`) <= wide)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(...pieces(word, wide));
  }
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `${[...(lines[most - 1] ?? "")].slice(0, wide - 1).join("")}…`];
}

const pieces = (word: string, wide: number): string[] =>
  Bun.stringWidth(word) <= wide ? [word] : (word.match(new RegExp(`.{1,${wide}}`, "gsu")) ?? [word]);

function wordsOf(text: string): { box: Box; texts: readonly Text[] } {
  const lines = wrapped(text, 30, 4);
  const width = Math.max(...lines.map((line) => widthOf(line, font.label)));
  return {
    box: { width: width + 10, height: lines.length * font.label * 1.35 + 6 },
    texts: [{ lines, size: font.label }],
  };
}

function wordsAt(
  { box, texts }: { box: Box; texts: readonly Text[] },
  { x, y }: Point,
  full: string,
): string {
  const back = `<rect x="${round(x - box.width / 2)}" y="${round(y - box.height / 2)}" width="${round(box.width)}" height="${round(box.height)}" fill="#fff" fill-opacity="0.9"/>`;
  return `<g>${back}<title>${escaped(full)}</title>${textAt(texts, { x, y }, box.height, 3, "#445")}</g>`;
}

function drawBox(box: Drawn, { x, y }: Point): string {
  const { width, height, kind, isHere, full, texts } = box;
  if (kind === "start")
    return `<circle cx="${round(x)}" cy="${round(y)}" r="7" fill="#334"><title>start</title></circle>`;
  const at = (inset: number): string =>
    `x="${round(x - width / 2 + inset)}" y="${round(y - height / 2 + inset)}" width="${round(width - 2 * inset)}" height="${round(height - 2 * inset)}" rx="8"`;
  const fill = isHere ? "#fff3c4" : kind === "final" ? "#e8f5e9" : kind === "any" ? "#fafafa" : "#eef3fb";
  const stroke = isHere ? "#b7791f" : "#556";
  const dash = kind === "any" ? ' stroke-dasharray="5 4"' : "";
  return [
    `<g><title>${escaped(full)}</title>`,
    `<rect ${at(0)} fill="${fill}" stroke="${stroke}" stroke-width="${isHere ? 3 : 1.2}"${dash}/>`,
    ...(kind === "final" ? [`<rect ${at(3)} fill="none" stroke="#556" stroke-width="0.8"/>`] : []),
    textAt(texts, { x, y }, height, 8, "#223"),
    "</g>",
  ].join("");
}

function textAt(
  texts: readonly Text[],
  { x, y }: Point,
  height: number,
  padding: number,
  colour: string,
): string {
  let line = y - height / 2 + padding;
  return texts
    .flatMap(({ lines, size, bold }) =>
      lines.map((text) => {
        line += size * 1.35;
        const weight = bold ? ' font-weight="600"' : "";
        return `<text x="${round(x)}" y="${round(line - size * 0.35)}" font-size="${size}"${weight} text-anchor="middle" fill="${colour}">${escaped(text)}</text>`;
      }),
    )
    .join("");
}

/** A smooth line from the edge of one box to the edge of another. */
function arrowOf(points: readonly Point[], from: Box | undefined, to: Box | undefined): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return "";
  const down = last.y >= first.y;
  const start = { x: first.x, y: first.y + ((from?.height ?? 0) / 2) * (down ? 1 : -1) };
  const end = { x: last.x, y: last.y - ((to?.height ?? 0) / 2 + 1) * (down ? 1 : -1) };
  const way = [start, ...points.slice(1, -1), end];
  let path = `M${round(start.x)} ${round(start.y)}`;
  for (let at = 1; at < way.length; at++) {
    const [a, b] = [way[at - 1] ?? start, way[at] ?? end];
    const half = (b.y - a.y) / 2;
    path += `C${round(a.x)} ${round(a.y + half)} ${round(b.x)} ${round(b.y - half)} ${round(b.x)} ${round(b.y)}`;
  }
  return `<path d="${path}" fill="none" stroke="#556" stroke-width="1.2" marker-end="url(#tip)"/>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Text for XML: signs it would read as its own are written otherwise, and those it may not have at all are left out. */
const escaped = (text: string): string =>
  [...text]
    .filter(isAllowed)
    .join("")
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** XML 1.0 has neither most control characters nor half a pair. */
function isAllowed(sign: string): boolean {
  const code = sign.codePointAt(0) ?? 0;
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
}
