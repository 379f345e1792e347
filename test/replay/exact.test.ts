import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from '../live/support/client.ts'
import { socketFolder } from '../support/scripted-engine.ts'
import { type ReplayEngine, replayEngine } from './engine.ts'
import { type Exchange, loadEngine, RECORDED_ENGINES } from './exchange.ts'
import { replayStage } from './support.ts'

/** About the version asked for, which the bridge answers itself. */
const OWN = /^error-version|^no-prefix|^version$/
/** These take the connection over: see clients.test.ts. */
const HIJACKED = /upgrade|^attach|^exec-start|^session/
/** A tar archive is not in the copies of requests, and what comes after a taken over connection goes with it. */
const NOT_SENT = /^archive-put|^build|^exec-inspect-after/

/** Something behind the JSON: engines up to 20.10 did not look at it, and the bridge reads bodies as they did. */
const MORE_LENIENT = ['create-error-trailing']
/** 1.52: the recorded engine is of 1.53, and names the path in other words than 29.0 and 29.1. */
const OTHERWISE_IN_29_0 = [...MORE_LENIENT, 'archive-get-no-path']
/** Up to 1.51: engines of these versions took a port that is none, and had the other word. */
const OTHERWISE_IN_28 = [...OTHERWISE_IN_29_0, 'create-cfg-exposed-bad', 'pause-again']

/** Up to 1.47: engines of these versions had other words for them. */
const OTHERWISE_IN_27 = [...OTHERWISE_IN_28, 'create-error-empty-body', 'create-platform', 'resize-bad']

/** 1.44: engine 25 began these with a capital. */
const OTHERWISE_IN_25 = [...OTHERWISE_IN_27, 'kill-bad-signal', 'kill-stopped']

const otherwise = (version: string): readonly string[] =>
  version < '1.45'
    ? OTHERWISE_IN_25
    : version < '1.48'
      ? OTHERWISE_IN_27
      : version < '1.52'
        ? OTHERWISE_IN_28
        : OTHERWISE_IN_29_0

const played = (exchange: Exchange): boolean => ![OWN, HIJACKED, NOT_SENT].some((kind) => kind.test(exchange.name))

async function answers(client: Client, exchanges: readonly Exchange[]): Promise<Record<string, string>> {
  const said: Record<string, string> = {}
  for (const { name, method, path, body } of exchanges) {
    const json = body === undefined ? {} : { type: 'application/json', bytes: Buffer.from(body) }
    const { status, type, bytes } = await client.call(method, path, json)
    said[name] = `${status} ${type ?? ''} ${bytes.toString('latin1')}`
  }
  return said
}

const recorded = ({ status, type, text, base64 }: Exchange): string =>
  `${status} ${type ?? ''} ${Buffer.from(base64 ?? text ?? '', base64 === undefined ? 'utf8' : 'base64').toString('latin1')}`

describe.each(RECORDED_ENGINES)('a recorded Engine %s', (name) => {
  let engine: ReplayEngine
  let folder: Awaited<ReturnType<typeof socketFolder>>
  const stage = replayStage(name)
  beforeAll(async () => {
    folder = await socketFolder()
    engine = await replayEngine(join(folder.path, 'e.sock'), loadEngine(name))
  })
  afterAll(async () => {
    await engine.close()
    await folder.remove()
  })

  describe.each(loadEngine(name))('at $version', ({ version, exchanges }) => {
    // What was recorded with a scalar comes first in the copies; a name that comes twice is played once, as it went on.
    const calls = exchanges.filter(
      (one, at) => played(one) && exchanges.findLastIndex((e) => e.name === one.name) === at,
    )
    const wanted = Object.fromEntries(calls.map((exchange) => [exchange.name, recorded(exchange)]))

    test('answers and refuses every call as it was recorded to', async () => {
      expect(await answers(new Client(engine.socket, version), calls)).toEqual(wanted)
    })

    test('does not refuse more or less, or in other words, a client of that version before the bridge', {
      tags: 'slow',
    }, async () => {
      const differs = otherwise(version)
      const asked = calls.filter((exchange) => !differs.includes(exchange.name))
      const as = Object.fromEntries(asked.map((exchange) => [exchange.name, recorded(exchange)]))
      expect(refusals(await answers(new Client(stage.socket(), version), asked))).toEqual(refusals(as))
    })
  })
})

/** The status of each answer; of a refusal all of it. */
const refusals = (said: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(said).map(([name, answer]) => [
      name,
      Number(answer.slice(0, 3)) < 400 ? answer.slice(0, 3) : answer,
    ]),
  )
