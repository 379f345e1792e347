import { once } from 'node:events'
import net from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../src/http/address.ts'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const ANY_PORT = 'tcp://127.0.0.1:0'

/** The status of a request with exactly this target and these header lines. */
async function ask(address: Address | undefined, target: string, ...lines: string[]): Promise<number> {
  const socket = net.connect(address?.kind === 'tcp' ? address.port : 0, '127.0.0.1')
  socket.write(`${[`GET ${target} HTTP/1.1`, ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'end')
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])
}

/**
 * `--admin` looked at no `Host`, and the other listeners at the first of two, and not at the one that a target in absolute
 * form names, which goes before it (RFC 9112, 3.2.2).
 */
describe.each([
  ['a listener for clients', ['--listen', ANY_PORT], '/v1.44/_ping'],
  ['--admin', ['--admin', ANY_PORT], '/metrics'],
  ['--inspect', ['--inspect', ANY_PORT], '/'],
] as const)('%s on TCP', (where, flags, path) => {
  const stage = stages()
  const start = async (...more: string[]): Promise<(target: string, ...lines: string[]) => Promise<number>> => {
    const { bridge } = await stage({ onRequest: (_req, res) => res.end('OK') }, [...flags, ...more])
    const address =
      where === '--admin'
        ? bridge.admin
        : where === '--inspect'
          ? bridge.inspect?.address
          : bridge.addresses.find(({ kind }) => kind === 'tcp')
    return (target, ...lines) => ask(address, target, ...lines)
  }

  it('answers one Host that cannot be a page’s', async () => {
    const get = await start()
    for (const host of ['127.0.0.1:9000', 'localhost', 'enginebridge', '[::1]:9000'])
      expect(await get(path, `Host: ${host}`), host).toBe(200)
    expect(await get(`http://localhost:9000${path}`, 'Host: localhost:9000')).not.toBe(403)
  })

  it.each([
    [400, 'two Hosts', path, ['Host: localhost', 'Host: evil.example']],
    [400, 'two Hosts, the second in another case', path, ['Host: evil.example', 'hOST: localhost']],
    [400, 'the same Host twice', path, ['Host: localhost', 'Host: localhost']],
    [403, 'a Host that a page may have', path, ['Host: evil.example']],
    [403, 'a target that names such a host', `http://evil.example${path}`, ['Host: localhost']],
    [403, 'such a target with a user', `http://localhost@evil.example${path}`, ['Host: localhost']],
    [403, 'such a target of another scheme', `x://evil.example:1${path}`, ['Host: localhost']],
    [403, 'the Origin of a page', path, ['Host: localhost', 'Origin: http://evil.example']],
    [403, 'two Origins', path, ['Host: localhost', 'Origin: http://localhost', 'Origin: http://evil.example']],
    [403, 'its own Origin twice', path, ['Host: localhost', 'Origin: http://localhost', 'Origin: http://localhost']],
    [403, 'two words about the site', path, ['Host: localhost', 'Sec-Fetch-Site: none', 'Sec-Fetch-Site: cross-site']],
  ])('answers %i to %s', async (status, _, target, lines) => {
    const get = await start()
    expect(await get(target, ...lines)).toBe(status)
  })

  it('answers the names of --allowed-hosts', async () => {
    const get = await start('--allowed-hosts', 'docker.example')
    expect(await get(path, 'Host: docker.example:9000')).toBe(200)
    expect(await get(path, 'Host: evil.example')).toBe(403)
  })
})

describe('--admin on a unix socket', () => {
  const stage = stages()

  it('looks at no Host: no page comes there', async () => {
    const admin = `${stage.folder()}/admin.sock`
    await stage({}, ['--admin', `unix://${admin}`])
    expect((await call(admin, '/livez', { headers: { Host: admin } })).status).toBe(200)
  })
})
