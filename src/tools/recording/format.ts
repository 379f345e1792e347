import { readFile } from 'node:fs/promises'
import type { EngineFacts } from '../../api/engine-facts.ts'
import { isObject, parseJson } from '../../api/json/json.ts'
import { formatVersion } from '../../api/version.ts'
import type { BodyRecord } from '../../audit/record/record.ts'

/**
 * A recording: JSON lines, the first of them a `Header`, the others one call each in the order in which they ended.
 * docs/recordings.md describes it.
 */
export const RECORDING_VERSION = 1

export interface Header {
  readonly recording: typeof RECORDING_VERSION
  readonly enginebridge: string
  /** RFC 3339. */
  readonly started: string
  /** What the engine said of itself. */
  readonly engine: {
    readonly release: string
    readonly product?: string
    readonly lowest: string
    readonly highest: string
  }
}

export const headerOf = (
  { release, product, lowest, highest }: EngineFacts,
  version: string,
  started: Date,
): Header => ({
  recording: RECORDING_VERSION,
  enginebridge: version,
  started: started.toISOString(),
  engine: {
    release,
    ...(product === undefined ? {} : { product }),
    lowest: formatVersion(lowest),
    highest: formatVersion(highest),
  },
})

/** One call: what the client asked, and what it was given. Secrets are taken out, large bodies cut. */
export interface RecordedCall {
  readonly at: string
  readonly milliseconds: number
  readonly method: string
  /** As the client sent it, prefix and query included. */
  readonly path: string
  /** The version that the client spoke. */
  readonly client: string
  /** Absent for endpoints that no table has. */
  readonly operation?: string
  readonly userAgent?: string
  readonly contentType?: string
  readonly request?: BodyRecord
  /** Absent when the call ended without an answer. */
  readonly status?: number
  readonly responseType?: string
  readonly response?: BodyRecord
  /** Bytes each way of a connection that was taken over. */
  readonly tunnel?: { readonly fromClient: number; readonly fromEngine: number }
}

export interface Recording {
  readonly header: Header
  readonly calls: readonly RecordedCall[]
}

/** A file that is no recording, with the line that shows it. */
export class BadRecording extends Error {
  override readonly name = 'BadRecording'
}

export async function readRecording(path: string): Promise<Recording> {
  const lines = (await readFile(path, 'utf8')).split('\n').map((text, i) => ({ text, number: i + 1 }))
  const [first, ...rest] = lines
    .filter(({ text }) => text.trim() !== '')
    .map((line) => ({ ...line, value: parsed(path, line) }))
  if (first === undefined || !isObject(first.value) || first.value['recording'] !== RECORDING_VERSION)
    throw new BadRecording(`${path} does not begin as a recording of version ${RECORDING_VERSION} does`)
  const calls = rest.map(({ value, number }) => {
    if (isObject(value) && ['method', 'path', 'client'].every((name) => typeof value[name] === 'string')) return value
    throw new BadRecording(`${path}, line ${number}: a call has a method, a path and a client`)
  })
  return { header: first.value as unknown as Header, calls: calls as unknown as RecordedCall[] }
}

function parsed(path: string, { text, number }: { text: string; number: number }): ReturnType<typeof parseJson> {
  try {
    return parseJson(text)
  } catch (cause) {
    throw new BadRecording(`${path}, line ${number}: no JSON (${cause instanceof Error ? cause.message : cause})`, {
      cause,
    })
  }
}
