/** Bounds of memory and time: bytes, and milliseconds (0: unlimited). */
export interface Limits {
  /** A request body parsed as JSON. */
  readonly requestBody: number
  /** A response body parsed as JSON. */
  readonly responseBody: number
  /** One record of a stream. */
  readonly record: number
  /** An error body. */
  readonly errorBody: number
  /** The head of a request or response. */
  readonly header: number
  /** From accepting a connection, or the first byte of a request, to the end of the head. */
  readonly headerMs: number
  /** Between two pieces of a request body that is buffered. */
  readonly bodyMs: number
  /** Between two requests on a connection. */
  readonly idleMs: number
  /** To connect to the engine. */
  readonly connectMs: number
  /** To the response head of a call that only reads. */
  readonly answerMs: number
}

/** Settings of the limits, named like their flags; bytes and milliseconds. */
export type LimitSettings = Readonly<
  Record<`max-${'request-body' | 'response-body' | 'record' | 'error-body' | 'header'}`, number> &
    Record<`${'header' | 'body' | 'idle' | 'connect' | 'answer'}-timeout`, number>
>

export const limitsOf = (config: LimitSettings): Limits => ({
  requestBody: config['max-request-body'],
  responseBody: config['max-response-body'],
  record: config['max-record'],
  errorBody: config['max-error-body'],
  header: config['max-header'],
  headerMs: config['header-timeout'],
  bodyMs: config['body-timeout'],
  idleMs: config['idle-timeout'],
  connectMs: config['connect-timeout'],
  answerMs: config['answer-timeout'],
})
