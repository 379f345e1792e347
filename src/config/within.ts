/** The result of the work; if it takes longer than the time, the result of `late`. */
export async function within<T, Late>(ms: number, work: Promise<T>, late: () => Late): Promise<T | Late> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  return Promise.race([work, promise.then(late)]).finally(() => clearTimeout(timer))
}
