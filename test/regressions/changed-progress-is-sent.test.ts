import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { engine28 } from '../support/scripted-engine.ts'

/** A step that changed a record of progress in its place changed nothing on the wire: the record's first bytes were sent. */
const engine29 = { ...engine28, ApiVersion: '1.53', Version: '29.1.0' }
const RECORDS = [
  { status: 'Downloading', progressDetail: { current: 1500000, total: 6000000 }, id: 'a' },
  { status: 'Waiting', id: 'b' },
]
const stage = stages()

it('a client of 1.41 gets the text of progress that engines from 29 leave out', async () => {
  const onRequest = (_req: IncomingMessage, res: ServerResponse): void => {
    res.writeHead(200, { 'Content-Type': 'application/json' })
    res.end(RECORDS.map((record) => `${JSON.stringify(record)}\r\n`).join(''))
  }
  const { socket } = await stage({ version: engine29, onRequest })
  const { text } = await call(socket, '/v1.41/images/create?fromImage=x', { method: 'POST' })
  expect(
    text
      .trim()
      .split('\r\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { ...RECORDS[0], progress: '[============>                                      ]    1.5MB/6MB' },
    RECORDS[1],
  ])
})
