import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { stages } from './bridge.ts'
import { eventually, RawConnection } from './client.ts'
import { type RawAnswer, RawEngine } from './raw-engine.ts'

/** The bytes that a client writes, the statuses that it gets, and every byte that the engine gets. */
export interface Hostile {
  readonly name: string
  /** As latin1, so that every byte can be written. */
  readonly send: string
  readonly statuses: readonly number[]
  /** Requests in their order. */
  readonly engine: readonly string[]
  /** The bytes that the engine gets after the switch of protocols. */
  readonly raw?: string
  readonly flags?: readonly string[]
  /** A pattern that the client's answers must match. */
  readonly client?: RegExp
  readonly answer?: RawAnswer
}

/** A request as the bridge writes it. */
export const pooled = (line: string, headers = '', body = ''): string =>
  `${line} HTTP/1.1\r\nHost: docker\r\n${headers}\r\n${body}`

export const SWITCH = 'HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'

/** A last call: if its bytes are the last that the engine got, no connection had bytes left over. */
const LAST = 'GET /v1.44/_ping?last=1'

const statusesOf = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

/** Registers a test for each input, and prints the number of inputs and of those that held. */
export function hostileSuite(title: string, inputs: readonly Hostile[]): void {
  const count = { tried: 0, held: 0 }
  describe(title, () => {
    const stage = stages()
    let engine: RawEngine
    afterEach(() => engine.close())
    afterAll(() => process.stdout.write(`${title}: ${count.tried} hostile inputs tried, ${count.held} held\n`))

    it.each(inputs.map((input) => [input.name, input] as const))('%s', async (_name, input) => {
      count.tried++
      engine = new RawEngine(join(stage.folder(), 'raw.sock'), input.answer)
      await engine.listen()
      const bridge = await stage.bridge(engine.socket, input.flags)
      const client = new RawConnection(bridge.socket)
      client.send(Buffer.from(input.send, 'latin1'))
      const done = (): boolean => client.ended || statusesOf(client.text).length >= input.statuses.length
      await eventually(done, `${input.statuses.length} answers; there are ${JSON.stringify(client.text)}`)
      const raw = input.raw === undefined ? [] : [input.raw]
      const expected = input.engine.length + raw.length
      await eventually(() => engine.seen.length >= expected, `the engine has ${JSON.stringify(engine.seen)}`)
      await lastCall(bridge.socket)
      expect(engine.seen).toEqual([...input.engine, pooled(LAST), ...raw])
      expect(statusesOf(client.text)).toEqual(input.statuses)
      if (input.client !== undefined) expect(client.text).toMatch(input.client)
      client.socket.destroy()
      count.held++
    })
  })
}

async function lastCall(socket: string): Promise<void> {
  const client = new RawConnection(socket)
  client.send(`${LAST} HTTP/1.1\r\nHost: d\r\nConnection: close\r\n\r\n`)
  expect(await client.untilEnd()).toMatch(/^HTTP\/1\.1 200/)
}
