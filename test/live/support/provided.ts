/** The values that the global set-up hands to the test files. */
export interface Live {
  /** Sockets and files of this run; its name holds the process id, so that a later run knows a dead one's. */
  readonly folder: string
  /** Why no engine can run here, or undefined when they can. */
  readonly missing: string | undefined
  /** `ENGINEBRIDGE_LIVE=required`: what cannot run is a failure. */
  readonly required: boolean
}

declare module 'vitest' {
  export interface ProvidedContext {
    live: Live
  }
}
