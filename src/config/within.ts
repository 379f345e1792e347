/** The result of the work; if it takes longer than the time, the result of `late`. */
export async function within<T, Late>(ms: number, work: Promise<T>, late: () => Late): Promise<T | Late> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  return Promise.race([work, promise.then(late)]).finally(() => clearTimeout(timer))
}

/** Calls of work that does not reject run one after the other: what the earlier one read slowly must not win. */
export function inTurn(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(work)
    return last
  }
}
