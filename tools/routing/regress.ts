// Logistic regression, as much as a few thousand samples with a handful of traits need.

export interface Sample {
  readonly traits: readonly number[];
  /** 1: it came true. */
  readonly right: number;
}

/** What is predicted by weights, of which the first is the bias: nought for one in two. */
export function logitOf(weights: readonly number[], traits: readonly number[]): number {
  let sum = weights[0] ?? 0;
  for (let at = 0; at < traits.length; at++) sum += (traits[at] ?? 0) * (weights[at + 1] ?? 0);
  return sum;
}

/** By Newton's method, with a pull of the weights towards nought. */
export function regress(samples: readonly Sample[], pull: number): number[] {
  const size = (samples[0]?.traits.length ?? 0) + 1;
  let weights = Array.from({ length: size }, () => 0);
  for (let turn = 0; turn < 30; turn++) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : -weight * pull));
    const bend = weights.map((_, row) =>
      weights.map((_each, column) => (row === column && row > 0 ? pull : 0)),
    );
    for (const { traits, right } of samples) {
      const chance = 1 / (1 + Math.exp(-logitOf(weights, traits)));
      const off = right - chance;
      const sure = Math.max(1e-9, chance * (1 - chance));
      for (let row = 0; row < size; row++) {
        const own = row === 0 ? 1 : (traits[row - 1] ?? 0);
        if (own === 0) continue;
        slope[row] = (slope[row] ?? 0) + off * own;
        const line = bend[row] ?? [];
        for (let column = 0; column < size; column++)
          line[column] = (line[column] ?? 0) + sure * own * (column === 0 ? 1 : (traits[column - 1] ?? 0));
      }
    }
    const step = solve(bend, slope);
    weights = weights.map((weight, at) => weight + (step[at] ?? 0));
    if (Math.max(...step.map(Math.abs)) < 1e-7) break;
  }
  return weights;
}

/** Gauss's elimination with the largest pivot first. */
function solve(matrix: readonly (readonly number[])[], wanted: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, wanted[at] ?? 0]);
  const size = rows.length;
  for (let at = 0; at < size; at++) {
    let pivot = at;
    for (let row = at + 1; row < size; row++)
      if (Math.abs(rows[row]?.[at] ?? 0) > Math.abs(rows[pivot]?.[at] ?? 0)) pivot = row;
    [rows[at], rows[pivot]] = [rows[pivot] ?? [], rows[at] ?? []];
    const head = rows[at] ?? [];
    for (let row = 0; row < size; row++) {
      const line = rows[row] ?? [];
      const share = (line[at] ?? 0) / (head[at] ?? 1);
      if (row === at || share === 0) continue;
      for (let column = at; column <= size; column++)
        line[column] = (line[column] ?? 0) - share * (head[column] ?? 0);
    }
  }
  return rows.map((row, at) => (row[size] ?? 0) / (row[at] ?? 1));
}
