import type { Target } from "../../core/action.ts";

/**
 * Patterns something was said of. `rm /etc/*.conf` names the pattern and, behind it, all that fits it now: one word is enough
 * for both, unless there is something else to say of a file than of the pattern.
 */
export class SaidOfPatterns {
  private readonly patterns: { readonly given: string; readonly what: string | undefined }[] = [];

  has({ fits }: Target, what?: string): boolean {
    return (
      fits !== undefined &&
      this.patterns.some(({ given, what: said }) => given === fits && (what === undefined || what === said))
    );
  }

  add({ given }: Target, what?: string): void {
    this.patterns.push({ given, what });
  }
}
