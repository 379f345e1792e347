import type { Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { answer, RawEngine } from '../support/raw-engine.ts'

/**
 * An engine may answer before it has read a body, and close without reading the rest. The connection counted as free although most
 * of the body was still to be written: the next call was written behind it, and got 502 without having reached the engine.
 */
const JSON_TYPE = 'Content-Type: application/json\r\n'
const refused = answer('400 Bad Request', JSON_TYPE, '{"message":"too many labels"}')
const LARGE = JSON.stringify({ Image: 'x', Labels: { a: 'x'.repeat(3_000_000) } })

describe('an engine that answers before it has read a large body, and then closes', () => {
  const stage = stages()
  let engine: RawEngine
  afterEach(() => engine.close())

  it.each(['1.18', '1.44'])('gets the next call on another connection: a body of %s', async (version) => {
    engine = new RawEngine(join(stage.folder(), 'raw.sock'), () => answer('204 No Content', '', ''))
    await engine.listen()
    const { socket } = await stage.bridge(engine.socket)
    await call(socket, '/v1.44/_ping')
    for (const connection of engine.connections) refuseWithoutReading(connection) // the one that the body goes to
    const create = await call(socket, `/v${version}/containers/create`, { method: 'POST', body: LARGE })
    expect(create.text).toContain('too many labels')
    const kill = await call(socket, '/v1.44/containers/x/kill', { method: 'POST' })
    expect(kill.status).toBe(204)
    expect(engine.requests.filter(({ target }) => target.endsWith('/kill'))).toHaveLength(1)
  })
})

function refuseWithoutReading(connection: Socket): void {
  connection.on('data', (chunk: Buffer) => {
    if (!chunk.includes('/containers/create')) return
    connection.pause()
    connection.write(refused)
    setTimeout(() => connection.destroy(), 50)
  })
}
