import { once } from 'node:events'
import net from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { Authority } from '../support/certificates.ts'
import { eventually } from '../support/client.ts'

const KILL = 'POST /v1.44/containers/x/kill HTTP/1.1\r\nHost: d\r\nContent-Length: 0\r\n\r\n'
const CLIENTS = 20

/** After a reset the kernel tells no address any more, but what the client sent is read: its call had none on record. */
describe('a TCP client that resets its connection right behind a call', () => {
  const stage = stages()

  it.each(['plain', 'TLS'])('is on record with its address, or is not served: %s', async (kind) => {
    const flags = ['--listen', 'tcp://127.0.0.1:0', '--insecure']
    if (kind === 'TLS') {
      const { cert, key } = new Authority(join(stage.folder(), 'ca')).issue('bridge', join(stage.folder(), 'bridge'))
      flags.push('--tls-cert', cert, '--tls-key', key)
    }
    const { audit, bridge, engine } = await stage({ onRequest: (_, res) => res.writeHead(204).end() }, flags)
    const tcp = bridge.addresses.find((address) => address.kind === 'tcp')
    const reset = async (): Promise<void> => {
      const socket = net.connect(tcp?.kind === 'tcp' ? tcp.port : 0, '127.0.0.1')
      const client = kind === 'TLS' ? tls.connect({ socket, rejectUnauthorized: false }) : socket
      client.on('error', () => undefined)
      await once(client, kind === 'TLS' ? 'secureConnect' : 'connect')
      if (kind === 'plain') await sleep(20) // accepted: a connection that was reset before is closed
      client.write(KILL, () => socket.resetAndDestroy())
      await once(socket, 'close')
    }
    await Promise.all(Array.from({ length: CLIENTS }, reset))
    const ended = (): number => audit.filter((record) => record['stage'] !== 'received').length
    await eventually(() => engine.seen.length > 0 && ended() >= engine.seen.length, 'the calls are on record')
    expect(audit.map(({ peer }) => Object(peer).address)).toEqual(audit.map(() => '127.0.0.1'))
  })
})
