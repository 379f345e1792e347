import type { Json } from '../../api/json/json.ts'

/** The call, its versions, and the direction. */
export interface TranslateOptions {
  /** The operation's name, such as `ContainerCreate`; or `method` and `path`. */
  readonly operation?: string
  /** `GET`, `POST`, … */
  readonly method?: string
  /** The call's path, optionally with version prefix and query: `/v1.24/containers/json?all=1`. */
  readonly path?: string
  /** The client's API version, 1.12 or newer: `1.24`. */
  readonly client: string
  /** The engine: its highest API version, or its range from `GET /version` (`ApiVersion`, `MinAPIVersion`). */
  readonly engine: string | EngineDescription
  /** The version for the engine; default: the client's if the engine serves it, else the nearest bound. */
  readonly target?: string
  /** `request`: from the client to the engine; `response`: from the engine to the client. */
  readonly direction: 'request' | 'response'
  /** Handling of values that the engine cannot express: `--validation` of the program. Default `warn`. */
  readonly losses?: 'strict' | 'warn' | 'ignore'
  /** Handling of members newer than the recipient's version. Default `drop`. */
  readonly newerFields?: 'drop' | 'pass'
  /** The behaviour of real engines, or the letter of the specification. Default `engine`. */
  readonly profile?: 'engine' | 'spec'
}

export interface EngineDescription {
  readonly highest: string
  /** Default: the same as `highest`, as engines up to 1.12 report. */
  readonly lowest?: string
  /** The engine's release, such as `28.5.2`. */
  readonly release?: string
  /** Default `linux`. */
  readonly os?: string
  /** As in `GET /version`. Default `amd64`. */
  readonly arch?: string
  /** `Podman Engine`; omit for Docker and Moby. */
  readonly product?: string
}

/** A message. Omitted parts count as absent. */
export interface Message {
  /** Headers by name, case-insensitive. */
  readonly headers?: Readonly<Record<string, string>>
  /** The query of a request, with or without `?`; default: the query of `path`. */
  readonly query?: string
  /** The status of a response. Default 200. */
  readonly status?: number
  /** The parsed JSON body, or one record of a stream. It is not modified. */
  readonly body?: Json
  /** A body other than JSON, such as the text of an error below 1.24. */
  readonly text?: string
}

/** The message for the other side. */
export interface Translated {
  /** `ContainerCreate`, … */
  readonly operation: string
  /** The version used with the engine. */
  readonly target: string
  /** Of a request: method, path with the target's prefix, and query without `?`. */
  readonly method: string
  readonly path: string
  readonly query: string
  /** Of a response. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Json
  /** The body of an error response, exactly as sent to the client, or a body other than JSON. */
  readonly text?: string
  /** A record that the client must not see. */
  readonly dropped: boolean
  /** The call is refused with this response: a value would be lost that must not be, or the endpoint does not exist. */
  readonly refused?: { readonly status: number; readonly code: string; readonly message: string }
  /** Ids of the changes between the two versions; `enginebridge diff` describes them. */
  readonly changes: readonly string[]
  /** Lost values, each with the version that has it and the id of the change that reports it. */
  readonly losses: readonly { readonly what: string; readonly needs: string; readonly change: string }[]
  /** Removed members of the client's request, which an engine of its version would have ignored. */
  readonly ignored: readonly string[]
  /** Ids of changes that need calls to the engine, which only a bridge can make: they had no effect. */
  readonly notPossible: readonly string[]
}
