/** A request as it goes to the engine; its body follows. */
export interface RequestHead {
  readonly method: string
  /** With version prefix and query. */
  readonly path: string
  /** Flat name/value pairs, as on the wire. */
  readonly headers: readonly string[]
}

export interface AnswerHead {
  readonly status: number
  /** Flat name/value pairs, as on the wire. */
  readonly headers: readonly string[]
}

/** Where a body passes: as the client sent it, as it goes on to the engine, as the engine answers, as the client gets it. */
export type MessageSide = 'clientRequest' | 'engineRequest' | 'engineResponse' | 'clientResponse'

/**
 * Sees what passes, while it passes. Chunks belong to the lane and are not to be changed: whoever keeps any copies them,
 * up to a bound of its own. A request may be thrown out (a Refusal) as long as nothing of it has gone to the engine:
 * from `request`, and from `body` of a side `forwarded` that comes before any of the answer.
 */
export interface CallObserver {
  /** Also for every further call to the engine that an emulation makes: `byEmulation`. */
  request(head: RequestHead, byEmulation: boolean): void
  answer(side: 'engineResponse' | 'clientResponse', head: AnswerHead): void
  body(side: MessageSide, chunk: Buffer): void
  /** A tunnel's bytes, after both heads have passed. They are lent (src/http/engine/reading.ts): who keeps them makes a copy. */
  stream(from: 'client' | 'engine', chunk: Buffer): void
  /** Once, when the call is over on both sides, whatever its end. */
  over(): void
}
