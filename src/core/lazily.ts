/**
 * Code that is loaded when it is first wanted, and is there at once ever after.
 *
 * @example
 * const git = lazily(() => import("./_git.ts"));
 */
export function lazily<T extends object>(load: () => Promise<T>): () => T | Promise<T> {
  let loaded: T | undefined;
  return () => loaded ?? load().then((it) => (loaded = it));
}
