import { once } from 'node:events'
import net from 'node:net'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'

const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  'Sec-WebSocket-Version: 13',
]

/** docker-py's `attach_socket(ws=True)` names the listener as its Origin; it was refused as a web page. */
describe('a websocket whose Origin is the listener’s own', () => {
  const stage = stages()
  const ask = async (origin: (port: number) => string, host: (port: number) => string): Promise<string> => {
    const { bridge } = await stage({ onUpgrade: (_req, duplex) => duplex.end('HTTP/1.1 101 UPGRADED\r\n\r\n') }, [
      '--listen',
      'tcp://127.0.0.1:0',
    ])
    const tcp = bridge.addresses.find((address) => address.kind === 'tcp')
    const port = tcp?.kind === 'tcp' ? tcp.port : 0
    const socket = net.connect(port, '127.0.0.1')
    const lines = ['GET /v1.24/containers/x/attach/ws HTTP/1.1', `Host: ${host(port)}`, `Origin: ${origin(port)}`]
    socket.write(`${[...lines, ...UPGRADE].join('\r\n')}\r\n\r\n`)
    const [first] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    return first.toString().split('\r\n', 1)[0] ?? ''
  }

  it('is let in', async () => {
    const own = await ask(
      (port) => `http://127.0.0.1:${port}`,
      (port) => `127.0.0.1:${port}`,
    )
    expect(own).toBe('HTTP/1.1 101 UPGRADED')
  })

  it.each([
    ['of another port', () => 'http://127.0.0.1:1', (port: number) => `127.0.0.1:${port}`],
    ['of a name made to mean this machine', () => 'http://evil.example', () => 'evil.example'],
  ])('is refused when it is %s', async (_which, origin, host) => {
    expect(await ask(origin, host)).toMatch(/^HTTP\/1\.1 403 /)
  })
})
