/** Any JSON value. A number that a double cannot hold is a `RawNumber` (see `parseJson`). */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [member: string]: Json | undefined }
  | RawNumber

/** A number kept as its text: 64-bit integers such as a memory limit of 9223372036854771712. */
export interface RawNumber {
  readonly rawJSON: string
}

/** Which call, between which versions, and which way. */
export interface TranslateOptions {
  /** The operation's name, such as `ContainerCreate`; or `method` and `path`. */
  readonly operation?: string
  /** `GET`, `POST`, … */
  readonly method?: string
  /** Of the call, with or without version prefix, with or without query: `/v1.24/containers/json?all=1`. */
  readonly path?: string
  /** The API version that the client speaks, 1.12 or newer: `1.24`. */
  readonly client: string
  /** The engine: its highest API version, or its range as `GET /version` tells it (`ApiVersion`, `MinAPIVersion`). */
  readonly engine: string | EngineDescription
  /** The version to speak to the engine; by default the client's where the engine serves it, else the nearest bound. */
  readonly target?: string
  /** `request`: from the client to the engine; `response`: the engine's answer to the client. */
  readonly direction: 'request' | 'response'
  /** What becomes of values that the engine cannot express: `--validation` of the program. Default `warn`. */
  readonly losses?: 'strict' | 'warn' | 'ignore'
  /** Members that are newer than their reader. Default `drop`. */
  readonly newerFields?: 'drop' | 'pass'
  /** What real engines put on the wire, or the specification to the letter. Default `engine`. */
  readonly profile?: 'engine' | 'spec'
}

export interface EngineDescription {
  readonly highest: string
  /** Default: the same as `highest`, as engines up to 1.12 say. */
  readonly lowest?: string
  /** The engine's own version, such as `28.5.2`. */
  readonly release?: string
  /** Default `linux`. */
  readonly os?: string
  /** As `GET /version` spells it. Default `amd64`. */
  readonly arch?: string
  /** `Podman Engine`; leave it out for Docker and Moby. */
  readonly product?: string
}

/** A message, as far as it is known. What is left out counts as absent. */
export interface Message {
  /** Header fields by name; the case does not matter. */
  readonly headers?: Readonly<Record<string, string>>
  /** The query of a request, with or without `?`; by default the one of `path`. */
  readonly query?: string
  /** The status of an answer. Default 200. */
  readonly status?: number
  /** The parsed JSON body, or one record of a stream. It is not changed. */
  readonly body?: Json
  /** A body that is no JSON, such as the text of an error below 1.24. */
  readonly text?: string
}

/** The message as the other side gets it. */
export interface Translated {
  /** `ContainerCreate`, … */
  readonly operation: string
  /** The version that is spoken to the engine. */
  readonly target: string
  /** Of a request: method, path with the target's prefix, and query without `?`. */
  readonly method: string
  readonly path: string
  readonly query: string
  /** Of an answer. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Json
  /** The body of an error answer, exactly as it goes to the client, or a body that is no JSON. */
  readonly text?: string
  /** A record that the client must not see. */
  readonly dropped: boolean
  /** The call is refused with this answer instead: a value would be lost that must not be, or there is no such endpoint. */
  readonly refused?: { readonly status: number; readonly code: string; readonly message: string }
  /** Ids of the changes between the two versions; `enginebridge diff` says what they are. */
  readonly changes: readonly string[]
  /** Values that were lost, each with the version that has it and the id of the change that knows. */
  readonly losses: readonly { readonly what: string; readonly needs: string; readonly change: string }[]
  /** Members of the client's request that an engine of its version would have ignored, and which are gone. */
  readonly ignored: readonly string[]
  /** Ids of changes that need further calls to the engine, which only a bridge can make: here they did nothing. */
  readonly notPossible: readonly string[]
}
