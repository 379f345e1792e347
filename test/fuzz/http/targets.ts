import { createHash } from 'node:crypto'
import { inWords, type Reading, readRequests, readResponses } from '../../support/http-messages.ts'
import type { Target } from '../loop.ts'
import { random } from '../mutate.ts'
import { disagreement } from './compare.ts'
import { isExplained } from './explained.ts'
import { mutateHttp, someRequests, someResponses } from './grammar.ts'
import { readByLlhttp, type Theirs } from './llhttp.ts'
import { readByNodeClient, readByNodeServer, readByUndici } from './node.ts'

const MAX_BYTES = 8 * 1024
/** Methods whose answers are read: that to HEAD has no body. */
const ANSWERED = ['GET', 'HEAD'] as const

/** Whole, byte by byte and at random; the same for the same bytes. */
function splits(input: Buffer): Buffer[][] {
  const pick = random(createHash('sha256').update(input).digest().readUInt32LE())
  const some: Buffer[] = []
  for (let at = 0; at < input.length; ) {
    const end = Math.min(input.length, at + 1 + pick(pick(4) === 0 ? 100 : 8))
    some.push(input.subarray(at, end))
    at = end
  }
  return [[input], Array.from(input, (byte) => Buffer.of(byte)), some]
}

/** The reading in all splits, which is one. */
function read(input: Buffer, method: string | undefined): Reading {
  const readings = splits(input).map((pieces) =>
    method === undefined ? readRequests(pieces) : readResponses(pieces, method),
  )
  const [whole, ...others] = readings
  if (whole === undefined) throw new Error('nothing was read')
  for (const other of others)
    if (inWords(other) !== inWords(whole)) throw new Error(`in pieces ${inWords(other)}, whole ${inWords(whole)}`)
  return whole
}

function compare(input: Buffer, ours: Reading, theirs: Theirs, reader: string): void {
  const found = disagreement(ours, theirs)
  if (found === undefined || isExplained(found, input.toString('latin1'))) return
  throw new Error(`${reader}: ${found.kind}: ${found.what}\nours ${inWords(ours)}\ntheirs ${JSON.stringify(theirs)}`)
}

function againstLlhttp(input: Buffer, method: string | undefined): void {
  const ours = read(input, method)
  for (const pieces of splits(input)) compare(input, ours, readByLlhttp(pieces, method, method !== undefined), 'llhttp')
}

const requests: Target = {
  name: 'http-requests',
  seeds: [
    'GET / HTTP/1.1\r\nHost: d\r\n\r\n',
    'POST /a HTTP/1.1\r\nHost: d\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.0\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: chunked\r\n\r\n3;a="b"\r\nabc\r\n0\r\nA: b\r\n\r\n',
  ],
  mutate: (input, other, pick) => mutateHttp(input, other, pick, someRequests),
  run: (input) => againstLlhttp(input.subarray(0, MAX_BYTES), undefined),
}

const responses: Target = {
  name: 'http-responses',
  seeds: [
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nabc',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\nHTTP/1.1 304 Not Modified\r\n\r\n',
  ],
  mutate: (input, other, pick) => mutateHttp(input, other, pick, someResponses),
  run: (input) => {
    for (const method of ANSWERED) againstLlhttp(input.subarray(0, MAX_BYTES), method)
  },
}

/** As much of it as answers one request. */
function firstAnswer({ messages, verdict }: Reading): Reading {
  const last = messages.findIndex(({ start }) => start[1] === '101' || !start[1]?.startsWith('1'))
  if (last === -1) return { messages, verdict }
  const answer = messages[last]
  const ended = last + 1 < messages.length || answer?.whole === true
  return { messages: messages.slice(0, last + 1), verdict: ended ? 'over' : verdict }
}

/** As much as undici tells. */
export const statusAlone = ({ messages, verdict }: Reading): Reading => ({
  messages: messages.map((message) => ({ ...message, start: message.start.slice(1, 2) })),
  verdict,
})

const someSplit = (input: Buffer): Buffer[] => splits(input)[input.length % 3] ?? [input]

/** node:http's server: its own rules beside its parser's. */
const nodeServer: Target = {
  name: 'http-node-server',
  corpus: requests.name,
  seeds: requests.seeds,
  mutate: (input, other, pick) => mutateHttp(input, other, pick, someRequests),
  run: async (input) => {
    const text = input.subarray(0, MAX_BYTES)
    compare(text, read(text, undefined), await readByNodeServer(someSplit(text)), 'node:http')
  },
}

/** node:http's client, and undici. */
const nodeClients: Target = {
  name: 'http-node-clients',
  corpus: responses.name,
  seeds: responses.seeds,
  mutate: (input, other, pick) => mutateHttp(input, other, pick, someResponses),
  run: async (input) => {
    const text = input.subarray(0, MAX_BYTES)
    for (const method of ANSWERED) {
      const ours = firstAnswer(read(text, method))
      compare(text, ours, await readByNodeClient(someSplit(text), method), 'node:http')
      // undici asks nobody to continue, so a 100 is a fault to it.
      if (ours.messages.every(({ start }) => start[1] !== '100'))
        compare(text, statusAlone(ours), await readByUndici(someSplit(text), method), 'undici')
    }
  },
}

export const httpTargets: readonly Target[] = [requests, responses, nodeServer, nodeClients]
