export interface Line {
  readonly cents: number;
  readonly count: number;
}

export function totalOf(lines: readonly Line[]): number;
