import { z } from 'zod'
import type { EngineFacts } from '../../api/engine-facts.ts'
import { type JsonValue, parseJson } from '../../api/json/json.ts'
import { isOperationName } from '../../api/operations.ts'
import { formatVersion } from '../../api/version.ts'
import type { BodyRecord } from '../../audit/record/record.ts'
import { fileLines } from '../../audit/written/read-lines.ts'
import { issueText } from '../../config/bad-config.ts'
import { defined } from '../../config/defined.ts'
import { messageOf } from '../../config/text.ts'

/** A recording: JSON lines, a `Header`, then the calls in the order in which they ended. See docs/recordings.md. */
const RECORDING_VERSION = 1

const text = z.string()

/** Members that are only written, not read: `enginebridge`, the version that recorded. */
const header = z.looseObject({
  recording: z.literal(RECORDING_VERSION),
  started: text, // RFC 3339
  engine: z.looseObject({ release: text.optional(), product: text.optional(), lowest: text, highest: text }),
})
export type Header = Readonly<z.output<typeof header>>

/** An object; its members are not checked, since a newer version may know more of them. */
const body = z
  .looseObject({})
  .transform((value) => value as BodyRecord)
  .optional()

/** Without secrets, with large bodies cut. Members that are only written: `milliseconds`, `responseType`. */
const recordedCall = z.looseObject({
  ...{ at: text, method: text },
  path: text, // as sent by the client, with prefix and query
  client: text, // the client's version
  status: z.number().optional(), // absent if the call ended without a response
  ...{ userAgent: text.optional(), contentType: text.optional(), request: body, response: body },
  tunnel: z.looseObject({}).optional(), // bytes in each direction of a hijacked connection
  // Undefined for unknown endpoints; a newer version knows more of them.
  operation: text.transform((name): string | undefined => (isOperationName(name) ? name : undefined)).optional(),
})
export type RecordedCall = Readonly<z.output<typeof recordedCall>>

/** The engine's own description. */
export const described = ({ release, product, lowest, highest }: EngineFacts) => ({
  ...defined({ release, product }),
  ...{ lowest: formatVersion(lowest), highest: formatVersion(highest) },
})

export const headerLine = (engine: EngineFacts, version: string, started: Date): Header => ({
  ...{ recording: RECORDING_VERSION, enginebridge: version },
  ...{ started: started.toISOString(), engine: described(engine) },
})

export interface Recording {
  readonly header: Header
  readonly calls: readonly RecordedCall[]
}

/** Rejects with the line of the error. */
export async function readRecording(path: string): Promise<Recording> {
  const lines = valuesIn(path)
  const first = await lines.next()
  const { data } = header.safeParse(first.done === true ? undefined : first.value.value)
  if (data === undefined) throw new Error(`${path} is not a recording of version ${RECORDING_VERSION}`)
  return { header: data, calls: await Array.fromAsync(lines, callIn) }
}

interface Line {
  readonly value: JsonValue
  readonly where: string
}

/** One after the other: a recording may be longer than a string can be. */
async function* valuesIn(path: string): AsyncGenerator<Line, undefined> {
  for await (const { bytes, number } of fileLines([path])) {
    const where = `${path}, line ${number}`
    const line = bytes.toString()
    if (line.trim() !== '') yield { value: parsed(line, where), where }
  }
}

function callIn({ value, where }: Line): RecordedCall {
  const { data, error } = recordedCall.safeParse(value, { error: issueText })
  if (data !== undefined) return data
  const { path = [], message = '' } = error.issues[0] ?? {}
  throw new Error(`${where}: ${['the call', ...path].join('.')} ${message}`)
}

function parsed(line: string, where: string): JsonValue {
  try {
    return parseJson(line)
  } catch (cause) {
    throw new Error(`${where}: invalid JSON (${messageOf(cause)})`, { cause })
  }
}
