/**
 * Takes what an engine answers to the scenario of newest clients: `node test/conformance/take-newest.ts SOCKET`, where an
 * engine of a newest version listens that has nothing in it but the image busybox. As answers are compared: without ids,
 * times and what is the machine's.
 */
import { writeFileSync } from 'node:fs'
import type { JsonValue } from '../../src/api/json/json.ts'
import { callsFor, type RecordedViews } from './catalogue.ts'
import { ask } from './support/ask.ts'
import { clean } from './support/clean.ts'
import { play } from './support/play.ts'
import { viewOf } from './support/view.ts'
import { warm } from './support/warm.ts'
import { NEWEST_CLIENT } from './support/ways.ts'

const [, , socket] = process.argv
if (socket === undefined) throw new Error('say where the engine listens: take-newest.ts SOCKET')
const { body: told } = await ask(socket, 'GET', '/version')
const engine = typeof told === 'object' && told !== null && 'Version' in told ? String(told['Version']) : ''
await clean(socket)
await warm(socket, 'newest')
await clean(socket)
const played = await play(socket, NEWEST_CLIENT, callsFor(NEWEST_CLIENT))

const bodies = new Map<string, number>()
const indexOf = (body: JsonValue): number => {
  const text = JSON.stringify(body)
  const index = bodies.get(text) ?? bodies.size
  bodies.set(text, index)
  return index
}
const answers: RecordedViews['answers'] = Object.fromEntries(
  played.map((answer) => {
    const { status, type, text, plain } = viewOf(answer)
    return [answer.call.name, [status, type, text, ...plain.map(indexOf)] as const]
  }),
)
const lines = Object.entries(answers).map(([name, answer]) => `${JSON.stringify(name)}:${JSON.stringify(answer)}`)
const head = JSON.stringify({ engine, version: NEWEST_CLIENT })
writeFileSync(
  new URL(`../golden/conformance/newest@${NEWEST_CLIENT}.json`, import.meta.url),
  `{"origin":${head},"bodies":[\n${[...bodies.keys()].join(',\n')}\n],"answers":{\n${lines.join(',\n')}\n}}\n`,
)
await clean(socket)
