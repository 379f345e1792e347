import { type JsonValue, parseJson, writeJson } from '../translate/json.ts'
import type { ResponseMessage } from '../translate/message.ts'
import type { PlainCarriage, PlainLane } from './carriage.ts'
import { exchange, type Head, type Receiver } from './receive.ts'
import { reasonFor, translateHead } from './reply.ts'
import { buildRequest } from './request.ts'
import { RecordSplitter } from './split.ts'

/** A stream of JSON objects, translated one by one; each chunk's records go out at once. */
export const recordsLane: PlainLane = async (carriage) => {
  const request = await buildRequest(carriage)
  await exchange(carriage, request, (head) => translateRecords(carriage, head))
}

const RECORD_SEPARATOR = '\u001e' // application/json-seq, RFC 7464

function translateRecords(carriage: PlainCarriage, head: Head): Receiver {
  const { res, entry, limits } = carriage
  const message = translateHead(carriage, head.status, head.headers)
  message.headers.delete('Content-Length') // a single reading of stats has one; its translation is another
  const lead = message.headers.get('Content-Type')?.startsWith('application/json-seq') ? RECORD_SEPARATOR : ''
  const splitter = new RecordSplitter(limits.record)
  entry.answered(message.status)
  res.writeHead(message.status, reasonFor(message.status, head.status, head.reason), message.headers.raw())
  res.flushHeaders()
  res.on('drain', () => head.sending.resume())
  const write = (text: string): void => {
    if (text === '') return
    const bytes = Buffer.from(text)
    entry.sent(bytes.length)
    if (!res.write(bytes)) head.sending.pause()
  }
  return {
    data: (chunk) => {
      let out = ''
      for (const record of splitter.push(chunk)) {
        const translated = translateRecord(carriage, message, record)
        if (translated !== undefined) out += `${lead}${translated}\n`
      }
      write(out)
    },
    end: () => {
      write(splitter.rest().toString()) // cut off by the engine: what there is, as it came
      res.end()
    },
  }
}

/** One record, translated; undefined when the client's version does not have it. */
function translateRecord(carriage: PlainCarriage, head: ResponseMessage, bytes: Buffer): string | undefined {
  const text = bytes.toString()
  let body: JsonValue
  try {
    body = parseJson(text)
  } catch (cause) {
    if (cause instanceof SyntaxError) return text // not ours to mend
    throw cause
  }
  const message: ResponseMessage = { status: head.status, headers: head.headers, body }
  for (const step of carriage.plan.response.body) if (step(message, carriage.context) === 'drop') return undefined
  return message.body === undefined ? undefined : writeJson(message.body)
}
