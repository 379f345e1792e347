import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import { join } from 'node:path'
import tls from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { portOf, stages } from '../support/bridge.ts'
import { Authority } from '../support/certificates.ts'
import { call, eventually } from '../support/client.ts'
import { engine28 } from '../support/scripted-engine.ts'

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
    const reset = async (): Promise<void> => {
      const socket = net.connect(portOf(bridge), '127.0.0.1')
      const client = kind === 'TLS' ? tls.connect({ socket, rejectUnauthorized: false }) : socket
      client.on('error', () => undefined)
      await once(client, kind === 'TLS' ? 'secureConnect' : 'connect')
      // Accepted: a connection that was reset before is closed.
      if (kind === 'plain') client.write('GET /v1.44/_ping HTTP/1.1\r\nHost: d\r\n\r\n')
      if (kind === 'plain') await once(client, 'data')
      client.write(KILL, () => socket.resetAndDestroy())
      await once(socket, 'close')
    }
    await Promise.all(Array.from({ length: CLIENTS }, reset))
    const ended = (): number => audit.filter((record) => record['stage'] !== 'received').length
    await eventually(() => engine.seen.length > 0 && ended() >= engine.seen.length, 'the calls are on record')
    expect(audit.map(({ peer }) => Object(peer).address)).toEqual(audit.map(() => '127.0.0.1'))
  })

  it('is not served if it was reset before the bridge accepted it', async () => {
    const { audit, bridge, engine, socket } = await stage({ onRequest: (_, res) => res.writeHead(204).end() }, [
      ...['--listen', 'tcp://127.0.0.1:0'],
    ])
    // Another process: this one accepts nothing meanwhile.
    const script = `const s = require('net').connect(${portOf(bridge)}, '127.0.0.1')
      s.write(${JSON.stringify(KILL)}, () => s.resetAndDestroy())`
    expect(spawnSync(process.execPath, ['-e', script]).status).toBe(0)
    expect((await call(socket, '/v1.44/_ping')).status).toBe(204)
    expect(engine.seen).toEqual(['GET /v1.44/_ping'])
    expect(audit.filter(({ path }) => path !== '/_ping')).toEqual([])
  })

  it('or vanishes is found out by probes: both TCP connections of a call have the timer of keep-alive', async () => {
    const engine = http.createServer((_, res) => res.end(JSON.stringify(engine28))).listen(0, '127.0.0.1')
    onTestFinished(() => void engine.close())
    await once(engine, 'listening')
    const behind = Object(engine.address()).port
    const bridge = await stage.bridge(`tcp://127.0.0.1:${behind}`, ['--listen', 'tcp://127.0.0.1:0'])
    const before = portOf(bridge)
    const client = net.connect(before, '127.0.0.1')
    client.write('GET /v1.44/_ping HTTP/1.1\r\nHost: d\r\n\r\n')
    await once(client, 'data')
    // proc_net_tcp(5): `sl local_address rem_address st tx:rx tr:tm->when`; 01: established, timer 02: keep-alive.
    const hex = (port: number): string => `:${port.toString(16).toUpperCase().padStart(4, '0')}`
    const rows = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
    const open = rows.filter(
      ([, local, remote, state]) => state === '01' && (local?.endsWith(hex(before)) || remote?.endsWith(hex(behind))),
    )
    expect(open.map((row) => row[5]?.slice(0, 2))).toEqual(['02', '02'])
    client.destroy()
  })
})
