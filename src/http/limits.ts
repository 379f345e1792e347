/** Bounds on what is held in memory and waited for. Bytes and milliseconds; 0 ms waits for ever. */
export interface Limits {
  /** A JSON request body that is parsed. */
  readonly requestBody: number
  /** A JSON answer that is parsed. */
  readonly responseBody: number
  /** One record of a stream. */
  readonly record: number
  /** An error body. */
  readonly errorBody: number
  /** All header fields of a request, or of an answer. */
  readonly header: number
  /** From the connection, or the first byte of a request, to the end of its head. */
  readonly headerMs: number
  /** Between two pieces of a request body that is read whole. */
  readonly bodyMs: number
  /** Of a connection between two calls. */
  readonly idleMs: number
  /** Until the engine accepts a connection. */
  readonly connectMs: number
  /** Until the engine begins to answer what asks for information. */
  readonly answerMs: number
}

/** The settings that bound what is held and waited for, named as their flags; bytes and milliseconds. */
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
