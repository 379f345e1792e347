import type { CallObserver } from '../../audit/observer.ts'
import type { Observer, Watched } from '../../audit/watched.ts'

/** Combines the observers of a call into one; undefined without any. */
export function observerOf(
  observers: readonly Observer[],
  watched: Watched,
  own: CallObserver | undefined,
): CallObserver | undefined {
  if (observers.length === 0) return own
  const all = [own, ...observers.map((observe) => observe(watched))].filter((observer) => observer !== undefined)
  return all.length > 1 ? together(all) : all[0]
}

const together = (all: readonly CallObserver[]): CallObserver => ({
  request: (head, byEmulation) => {
    for (const observer of all) observer.request(head, byEmulation)
  },
  response: (side, head) => {
    for (const observer of all) observer.response(side, head)
  },
  body: (side, chunk) => {
    for (const observer of all) observer.body(side, chunk)
  },
  stream: (from, chunk) => {
    for (const observer of all) observer.stream(from, chunk)
  },
  over: () => {
    for (const observer of all) observer.over()
  },
})
