import type { Container } from '../../engine/replaced/exclusive.ts'
import type { Listening } from '../../http/listen/inherited.ts'

/** Messages from the primary to a worker. `connection` carries a socket, all others are JSON. */
export type ToWorker =
  | { readonly kind: 'begin'; readonly worker: number; readonly listening: readonly Listening[] }
  | { readonly kind: 'connection'; readonly listener: number; readonly number: number }
  /** The primary has accepted the records up to this number: there is room for more. */
  | { readonly kind: 'taken'; readonly upTo: number }
  | { readonly kind: 'stored'; readonly records: readonly number[] }
  | { readonly kind: 'refused'; readonly records: readonly number[]; readonly reason: string }
  | { readonly kind: 'ask'; readonly question: number; readonly about: Subject }
  | { readonly kind: 'idle'; readonly token: number }
  | { readonly kind: 'claimed'; readonly claim: number; readonly watched: boolean }
  | AliasNews
  | { readonly kind: 'reload' }
  | { readonly kind: 'stop' }

/** Messages from a worker to the primary. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly problems: readonly string[] }
  /** The worker has received the connection with that number. */
  | { readonly kind: 'took'; readonly number: number }
  /** Audit records as JSON lines, numbered from `first`. */
  | { readonly kind: 'records'; readonly first: number; readonly lines: readonly RecordLine[] }
  | { readonly kind: 'answer'; readonly question: number; readonly answer?: unknown; readonly problem?: string }
  | ({ readonly kind: 'claim'; readonly claim: number } & Container)
  | { readonly kind: 'released'; readonly claim: number }
  | AliasNews

export type AliasNews =
  | { readonly kind: 'replaced'; readonly client: string; readonly engine: string }
  | { readonly kind: 'forgotten'; readonly engine: string }

/** `token`: hold calls for a container that another worker replaces, and say whether a client watches it. */
export type Subject = 'metrics' | 'ready' | ({ readonly token: number } & Container)
export type RecordLine = readonly [stage: string, line: string]

export const isMessage = <M extends { kind: string }>(value: unknown): value is M =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string'
