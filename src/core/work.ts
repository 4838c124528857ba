/**
 * Work that waits for nothing that is there already, so that thousands of events can be judged without a pause: what it
 * yields is what it still needs.
 */
export type Work<T> = Generator<Promise<unknown>, T, unknown>;

/** `const policy = yield* wait(policyOf(root))` */
export function* wait<T>(it: T | Promise<T>): Work<T> {
  // What comes back is what was yielded.
  return it instanceof Promise ? ((yield it) as T) : it;
}

/** The result, at once where nothing had to be waited for. */
export function done<T>(work: Work<T>): T | Promise<T> {
  const step = work.next();
  return step.done === true ? step.value : goOn(work, step.value);
}

async function goOn<T>(work: Work<T>, first: Promise<unknown>): Promise<T> {
  for (let needed = first; ;) {
    const step = await needed.then(
      (it) => work.next(it),
      (error: unknown) => work.throw(error),
    );
    if (step.done === true) return step.value;
    needed = step.value;
  }
}
