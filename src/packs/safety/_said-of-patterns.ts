import { matchesGlob } from "node:path";
import type { Target } from "../../core/action.ts";

/**
 * Patterns something was said of. `rm /etc/*.conf` names the pattern and, behind it, all that fits it now: one word is enough
 * for both, unless there is something else to say of a file than of the pattern.
 */
export class SaidOfPatterns {
  private readonly patterns: { readonly path: string; readonly what: string | undefined }[] = [];

  has({ path }: Target, what?: string): boolean {
    if (this.patterns.length === 0 || isPattern(path)) return false;
    return this.patterns.some(
      (pattern) => (what === undefined || what === pattern.what) && matchesGlob(path, pattern.path),
    );
  }

  add({ path }: Target, what?: string): void {
    if (isPattern(path)) this.patterns.push({ path, what });
  }
}

const isPattern = (path: string): boolean => /[*?[]/.test(path);
