/** The values that the global set-up hands to the test files. */
export interface Live {
  /** The folder for sockets and files of this run; its name has the process id, so that a later run recognises the folder of a dead one. */
  readonly folder: string
  /** Why no engine can run here, or undefined when they can. */
  readonly missing: string | undefined
  /** `ENGINEBRIDGE_LIVE=required`: a test that cannot run fails. */
  readonly required: boolean
}

declare module 'vitest' {
  export interface ProvidedContext {
    live: Live
  }
}
