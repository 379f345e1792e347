import { once } from 'node:events'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import net from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listen } from '../../src/http/listen/listen.ts'
import { closeWithoutOthers } from '../../src/http/listen/unix-socket.ts'
import { startFakeEngine } from '../../src/tools/fake-engine/engine.ts'
import { stages } from '../support/bridge.ts'
import { bridgeProcess } from '../support/processes.ts'

/** Another takes a path over, as after `rm`, and says its name to who connects. */
async function takeOver(path: string): Promise<net.Server> {
  unlinkSync(path)
  const other = net.createServer((socket) => socket.on('error', () => undefined).end('the other'))
  await once(other.listen(path), 'listening')
  return other
}

async function greeting(path: string): Promise<string> {
  let said = ''
  for await (const chunk of net.connect(path)) said += chunk
  return said
}

/**
 * libuv removes at its end whatever has the name that a server bound. A bridge that ended removed so the socket of the one
 * that had taken its place: that went on, and nobody could reach it.
 */
describe('a bridge that ends after another was bound at its path', () => {
  const stage = stages()

  it('leaves the sockets of the other: of clients, of --admin, of the inspector', async () => {
    const paths = ['admin', 'inspect'].map((name) => join(stage.folder(), `${name}.sock`))
    const { bridge, socket } = await stage({}, ['--admin', `unix://${paths[0]}`, '--inspect', `unix://${paths[1]}`])
    const others = await Promise.all([socket, ...paths].map(takeOver))
    const before = readdirSync(stage.folder())
    await bridge.close()
    expect(readdirSync(stage.folder())).toEqual(before)
    for (const path of [socket, ...paths]) expect(await greeting(path)).toBe('the other')
    for (const other of others) other.close()
  })

  it('leaves the sockets of the other with several workers', { timeout: 60_000 }, async () => {
    const [socket, admin] = [join(stage.folder(), 'b.sock'), join(stage.folder(), 'admin.sock')]
    const flags = ['--workers', '2', '--admin', `unix://${admin}`, '--audit-log', 'off']
    const bridge = await bridgeProcess(socket, join(stage.folder(), 'e.sock'), flags)
    const others = await Promise.all([socket, admin].map(takeOver))
    await bridge.kill('SIGTERM')
    for (const path of [socket, admin]) expect(await greeting(path)).toBe('the other')
    for (const other of others) other.close()
  })

  it('leaves a file or a link that has its name', async () => {
    const target = join(stage.folder(), 'target')
    writeFileSync(target, 'kept')
    for (const put of [(path: string) => writeFileSync(path, 'kept'), (path: string) => symlinkSync(target, path)]) {
      const { bridge, socket } = await stage({})
      unlinkSync(socket)
      put(socket)
      await bridge.close()
      expect(readFileSync(socket, 'utf8')).toBe('kept')
    }
    expect(
      readlinkSync(
        readdirSync(stage.folder())
          .map((name) => join(stage.folder(), name))
          .filter((path) => lstatSync(path).isSymbolicLink())[0] ?? '',
      ),
    ).toBe(target)
  })

  it.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['a file', (path: string) => writeFileSync(path, 'kept')],
  ])('leaves the socket of the other, and %s that has a name beside it', async (_what, put) => {
    const { bridge, socket } = await stage({})
    const other = await takeOver(socket)
    const beside = `${socket}.${process.pid}`
    put(beside)
    const before = readdirSync(dirname(socket))
    await bridge.close()
    expect(await greeting(socket)).toBe('the other')
    expect(readdirSync(dirname(socket))).toEqual(before)
    if (lstatSync(beside).isFile()) expect(readFileSync(beside, 'utf8')).toBe('kept')
    other.close()
  })

  it('leaves what a third puts there meanwhile', async () => {
    const { bridge, socket } = await stage({})
    const other = await takeOver(socket)
    const before = readdirSync(dirname(socket))
    closeWithoutOthers(socket, undefined, () => writeFileSync(socket, 'the third'))
    expect(readFileSync(socket, 'utf8')).toBe('the third')
    expect(readdirSync(dirname(socket))).toEqual(before)
    other.close()
    await bridge.close()
  })

  it('removes its own, and says nothing of one that is gone', async () => {
    const { bridge, socket } = await stage({})
    expect(existsSync(socket)).toBe(true)
    await bridge.close()
    expect(existsSync(socket)).toBe(false)
    const gone = await stage({})
    unlinkSync(gone.socket)
    await gone.bridge.close()
    expect(existsSync(gone.socket)).toBe(false)
  })

  it('that could not start leaves what somebody put in the place of its socket', async () => {
    const path = join(stage.folder(), 's.sock')
    const server = net.createServer()
    const { listen: really } = server
    server.listen = ((...args: Parameters<typeof really>) => {
      really.apply(server, args)
      unlinkSync(path) // somebody else, between bind(2) and the look at what was bound
      writeFileSync(path, 'kept')
      return server
    }) as typeof really
    await expect(listen(server, { kind: 'unix', path })).rejects.toThrow('another process replaced the socket')
    server.close()
    expect(readFileSync(path, 'utf8')).toBe('kept')
  })

  it('is the same for the fake engine', async () => {
    const fakeEngine = await startFakeEngine(join(stage.folder(), 'stand-in.sock'))
    const other = await takeOver(fakeEngine.path)
    await fakeEngine.close()
    expect(await greeting(fakeEngine.path)).toBe('the other')
    expect(readdirSync(dirname(fakeEngine.path))).toEqual(['stand-in.sock'])
    other.close()
  })
})
