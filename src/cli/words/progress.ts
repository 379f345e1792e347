import type { Io } from '../command.ts'

/** A shorter wait needs no progress line. */
const FIRST_MS = 2_000
const NEXT_MS = 200

/** Passes items on and says on a terminal how many were handled, in one line that takes its own place. */
export async function* progress<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  { stderr }: Pick<Io, 'stderr'>,
  words: (done: number) => string,
  now: () => number = () => performance.now(),
): AsyncGenerator<Item> {
  let next = now() + FIRST_MS
  let done = 0
  let isShown = false
  try {
    for await (const item of items) {
      yield item
      done++
      if (!stderr.isTTY || now() < next) continue
      next = now() + NEXT_MS
      isShown = true
      stderr.write(`\r\u001b[K${words(done)}`)
    }
  } finally {
    if (isShown) stderr.write('\r\u001b[K')
  }
}
