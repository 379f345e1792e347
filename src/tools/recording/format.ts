import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { EngineFacts } from '../../api/engine-facts.ts'
import { parseJson } from '../../api/json/json.ts'
import { isOperationName } from '../../api/operations.ts'
import { formatVersion } from '../../api/version.ts'
import type { BodyRecord } from '../../audit/record/record.ts'
import { problemWords } from '../../config/bad-config.ts'
import { defined } from '../../config/defined.ts'
import { messageOf } from '../../config/text.ts'

/** A recording: JSON lines, a `Header`, then the calls in the order in which they ended. See docs/recordings.md. */
const RECORDING_VERSION = 1

export interface Header {
  readonly recording: typeof RECORDING_VERSION
  readonly enginebridge: string
  /** RFC 3339. */
  readonly started: string
  readonly engine: ReturnType<typeof described>
}

/** The engine's own description. */
export const described = ({ release, product, lowest, highest }: EngineFacts) => ({
  ...defined({ release, product }),
  ...{ lowest: formatVersion(lowest), highest: formatVersion(highest) },
})

export const headerLine = (engine: EngineFacts, version: string, started: Date): Header => ({
  ...{ recording: RECORDING_VERSION, enginebridge: version },
  ...{ started: started.toISOString(), engine: described(engine) },
})

/** One call: the client's request and response, without secrets and with large bodies cut. */
export interface RecordedCall {
  readonly at: string
  readonly milliseconds: number
  readonly method: string
  /** As sent by the client, with prefix and query. */
  readonly path: string
  /** The client's version. */
  readonly client: string
  /** Absent for unknown endpoints. */
  readonly operation?: string
  readonly userAgent?: string
  readonly contentType?: string
  readonly request?: BodyRecord
  /** Absent if the call ended without a response. */
  readonly status?: number
  readonly responseType?: string
  readonly response?: BodyRecord
  /** Bytes in each direction of a hijacked connection. */
  readonly tunnel?: { readonly fromClient: number; readonly fromEngine: number }
}

export interface Recording {
  readonly header: Header
  readonly calls: readonly RecordedCall[]
}

const text = z.string()
const header = z.looseObject({
  recording: z.literal(RECORDING_VERSION),
  started: text,
  engine: z.looseObject({ release: text.optional(), product: text.optional(), lowest: text, highest: text }),
})

const body = z.looseObject({}).optional()
const recordedCall = z.looseObject({
  ...{ at: text, method: text, path: text, client: text, status: z.number().optional() },
  ...{ userAgent: text.optional(), contentType: text.optional(), request: body, response: body, tunnel: body },
  // A newer version knows more of them.
  operation: text.optional().transform((name) => (name !== undefined && isOperationName(name) ? name : undefined)),
})

/** Rejects with the line of the error. */
export async function readRecording(path: string): Promise<Recording> {
  const lines = (await readFile(path, 'utf8')).split('\n').map((text, i) => ({ text, number: i + 1 }))
  const [first, ...rest] = lines
    .filter(({ text }) => text.trim() !== '')
    .map((line) => ({ ...line, value: parsed(path, line) }))
  const begins = header.safeParse(first?.value)
  if (!begins.success) throw new Error(`${path} is not a recording of version ${RECORDING_VERSION}`)
  const calls = rest.map(({ value, number }) => {
    const { data, error } = recordedCall.safeParse(value, { error: problemWords })
    if (data !== undefined) return data
    const { path: at = [], message = '' } = error.issues[0] ?? {}
    throw new Error(`${path}, line ${number}: ${['the call', ...at].join('.')} ${message}`)
  })
  return { header: begins.data as unknown as Header, calls: calls as unknown as RecordedCall[] }
}

function parsed(path: string, { text, number }: { text: string; number: number }): ReturnType<typeof parseJson> {
  try {
    return parseJson(text)
  } catch (cause) {
    throw new Error(`${path}, line ${number}: invalid JSON (${messageOf(cause)})`, { cause })
  }
}
