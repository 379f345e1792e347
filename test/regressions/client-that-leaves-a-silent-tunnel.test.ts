import type { Duplex } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually, RawConnection } from '../support/client.ts'

/**
 * A client that was killed looked like one that had ended its side: its tunnel to a container that says nothing stayed open, counted
 * for --max-calls, and the record of one whose engine ended then said that the engine had ended it.
 */
const ATTACH =
  'POST /v1.44/containers/x/attach?stream=1 HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'
const SWITCH = 'HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'

describe('a client on a unix socket', () => {
  const stage = stages()
  const attached = async () => {
    const opened = Promise.withResolvers<Duplex>()
    const onUpgrade = (_req: unknown, engine: Duplex): void => {
      engine.on('error', () => engine.destroy())
      engine.write(SWITCH)
      opened.resolve(engine)
    }
    const { socket, audit } = await stage({ onUpgrade })
    const client = new RawConnection(socket)
    client.send(ATTACH)
    await client.until((text) => text.endsWith('\r\n\r\n'))
    const engine = await opened.promise
    let got = ''
    engine.on('data', (chunk: Buffer) => {
      got += chunk.toString()
    })
    const ended = (): boolean => audit.some((record) => record['stage'] === 'complete')
    return { client, engine, audit, ended, got: () => got }
  }

  it('that leaves a tunnel whose engine says nothing ends it, and the engine has all that it sent', async () => {
    const { client, audit, ended, got } = await attached()
    client.send('x'.repeat(1_000_000))
    client.socket.end(() => client.socket.destroy())
    await eventually(ended, 'it is over', 5_000)
    expect(audit.at(-1)).toMatchObject({ endedBy: 'client', bytesIn: 1_000_000 })
    await eventually(() => got().length === 1_000_000, 'all has come')
  })

  it('that has ended its side is waited for as long as it reads, and found out when it leaves', async () => {
    const { client, engine, audit, ended } = await attached()
    client.finish()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    engine.write('late')
    await client.until((text) => text.endsWith('late'))
    expect(ended()).toBe(false)
    client.socket.destroy()
    await eventually(ended, 'it is over', 5_000)
    expect(audit.at(-1)).toMatchObject({ endedBy: 'client', bytesOut: 4 })
  })
})
