import { type JsonValue, parseJson, writeJson } from '../translate/json.ts'
import type { ResponseMessage, ResponseStep } from '../translate/message.ts'
import type { PlainCarriage, PlainLane } from './carriage.ts'
import { exchange, type Head, type Receiver } from './receive.ts'
import { sendHead, translateHead } from './reply.ts'
import { buildRequest } from './request.ts'
import { RecordSplitter } from './split.ts'
import { bodySteps, runSteps } from './steps.ts'

/** A stream of JSON objects, translated one by one; each chunk's records go out at once. */
export const recordsLane: PlainLane = async (carriage) => {
  const request = await buildRequest(carriage)
  await exchange(carriage, request, (head) => translateRecords(carriage, head))
}

const RECORD_SEPARATOR = '\u001e' // application/json-seq, RFC 7464

function translateRecords(carriage: PlainCarriage, head: Head): Receiver {
  const { res, entry, limits, tap } = carriage
  const message = translateHead(carriage, head.status, head.headers)
  message.headers.delete('Content-Length') // a single reading of stats has one; its translation is another
  const lead = message.headers.get('Content-Type')?.startsWith('application/json-seq') ? RECORD_SEPARATOR : ''
  sendHead(carriage, message, head)
  res.on('drain', () => head.sending.resume())
  const write = (bytes: Buffer): void => {
    if (bytes.length === 0) return
    entry.sent(bytes.length)
    tap?.body('given', bytes)
    if (!res.write(bytes)) head.sending.pause()
  }
  const splitter = new RecordSplitter(limits.record)
  const untouched = new UntouchedRecords(carriage)
  return {
    data: (chunk) => {
      const raw = untouched.take(chunk)
      write(chunk.subarray(0, raw))
      let out = ''
      for (const record of splitter.push(chunk.subarray(raw))) {
        const { text, last } = translateRecord(carriage, message, record)
        if (text !== undefined) out += `${lead}${text}\n`
        if (!last) continue
        write(Buffer.from(out))
        res.end()
        head.sending.abort()
        return
      }
      write(Buffer.from(out))
    },
    end: () => {
      write(splitter.rest()) // cut off by the engine: what there is, as it came
      res.end()
    },
  }
}

const NEWLINE = 0x0a

/** Records that no step looks at pass as they come until the first container is made anew, and on to the end of a line. */
class UntouchedRecords {
  readonly #carriage: PlainCarriage
  #passing: boolean
  #inRecord = false

  constructor(carriage: PlainCarriage) {
    this.#carriage = carriage
    this.#passing = carriage.plan.response.body.length === 0
  }

  /** How many bytes of the chunk pass untouched. */
  take(chunk: Buffer): number {
    if (!this.#passing) return 0
    if (this.#carriage.context.aliases?.begun !== true) {
      this.#inRecord = chunk.at(-1) !== NEWLINE
      return chunk.length
    }
    const end = this.#inRecord ? chunk.indexOf(NEWLINE) : -1
    if (this.#inRecord && end === -1) return chunk.length
    this.#passing = false
    return end + 1
  }
}

/** What runs over each record of a stream that is read. */
function recordSteps(carriage: PlainCarriage, size: number): readonly ResponseStep[] {
  const { recordsOnceAliased } = carriage.plan.response
  return recordsOnceAliased === undefined ? bodySteps(carriage, size) : [recordsOnceAliased]
}

interface Translated {
  /** Undefined when the client's version does not have the record. */
  readonly text: string | undefined
  /** Whether the client's stream ends here. */
  readonly last: boolean
}

function translateRecord(carriage: PlainCarriage, head: ResponseMessage, bytes: Buffer): Translated {
  const text = bytes.toString()
  let body: JsonValue
  try {
    body = parseJson(text)
  } catch (cause) {
    if (cause instanceof SyntaxError) return { text, last: false } // not ours to mend
    throw cause
  }
  const message: ResponseMessage = { status: head.status, headers: head.headers, body }
  const outcome = runSteps(carriage, 'response', recordSteps(carriage, bytes.length), message, bytes.length)
  if (outcome === 'drop') return { text: undefined, last: false }
  return { text: message.body === undefined ? undefined : writeJson(message.body), last: outcome === 'last' }
}
