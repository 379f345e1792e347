/** What comes first: the result of the work, or after a time what `late` returns or throws. */
export async function within<T, Late>(ms: number, work: Promise<T>, late: () => Late): Promise<T | Late> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  return Promise.race([work, promise.then(late)]).finally(() => clearTimeout(timer))
}
