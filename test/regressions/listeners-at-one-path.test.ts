import { once } from 'node:events'
import { chmodSync, linkSync, lstatSync, renameSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { listen } from '../../src/http/listen/listen.ts'
import { BoundSocket, lockName } from '../../src/http/listen/unix-socket.ts'
import { stages } from '../support/bridge.ts'

const linux = process.platform === 'linux'

/** A socket file that nobody serves, as a killed bridge leaves it. */
async function leaveStale(path: string): Promise<void> {
  const server = net.createServer()
  server.listen(path)
  await once(server, 'listening')
  renameSync(path, `${path}.kept`) // closing a server removes its file
  server.close()
  await once(server, 'close')
  renameSync(`${path}.kept`, path)
}

/** Ignores errors: a bridge that only checks whether the socket is served disconnects at once. */
const greeter = (words: string): net.Server =>
  net.createServer((socket) => socket.on('error', () => undefined).end(words))

/** The text that the server at a path sends. */
async function greeting(path: string): Promise<string> {
  const socket = net.connect(path)
  let said = ''
  for await (const chunk of socket) said += chunk
  return said
}

/**
 * Bridges that started at once at a path with a stale socket all found it stale; one that was a moment later removed the socket that
 * another had bound by then: both reported that they served (with three processes, once in 40 starts).
 */
describe('bridges that start at once where a killed one left its socket', () => {
  const stage = stages()

  it('replace it where its path has the 107 bytes that are allowed: it was EINVAL', async () => {
    const folder = stage.folder()
    const path = join(folder, 'x'.repeat(107 - 1 - folder.length))
    await leaveStale(path)
    const server = greeter('new')
    await listen(server, { kind: 'unix', path })
    expect(await greeting(path)).toBe('new')
    server.close()
  })

  it.runIf(linux)(
    'wait for the one that has begun, and leave alone what it has made',
    async () => {
      const path = join(stage.folder(), 'waited.sock')
      await leaveStale(path)
      const stale = lstatSync(path).ino
      const begun = net.createServer()
      begun.listen(lockName(path))
      await once(begun, 'listening')
      const late = greeter('late')
      const outcome = listen(late, { kind: 'unix', path }).then(() => 'serves', String)
      await sleep(200) // long enough for a bridge that does not wait
      expect(lstatSync(path).ino).toBe(stale)
      unlinkSync(path)
      const first = greeter('first')
      first.listen(path)
      await once(first, 'listening')
      begun.close()
      expect(await outcome).toMatch(/another process serves it/)
      expect(await greeting(path)).toBe('first')
      first.close()
    },
    30_000,
  )

  it.runIf(linux)(
    'are one that serves, and others that say so and end',
    async () => {
      for (let round = 0; round < 10; round++) {
        const path = join(stage.folder(), `${round}.sock`)
        await leaveStale(path)
        const servers = Array.from({ length: 6 }, (_, i) => greeter(`server ${i}`))
        const outcomes = await Promise.allSettled(servers.map((server) => listen(server, { kind: 'unix', path })))
        const serving = outcomes.flatMap(({ status }, i) => (status === 'fulfilled' ? [i] : []))
        expect(serving).toHaveLength(1)
        expect(await greeting(path)).toBe(`server ${serving[0]}`)
        for (const outcome of outcomes)
          if (outcome.status === 'rejected')
            expect(String(outcome.reason)).toMatch(/another process serves it|EADDRINUSE/)
        for (const server of servers) server.close()
      }
    },
    60_000,
  )
})

/** The mode was set by path, and so through a link that somebody had put there meanwhile: to any file of the host. */
describe.runIf(linux)('a unix listener in a folder that others may write', () => {
  const stage = stages()

  const bound = async (path: string): Promise<{ server: net.Server; socket: BoundSocket }> => {
    const server = net.createServer()
    server.listen(path)
    const socket = new BoundSocket(path)
    await once(server, 'listening')
    return { server, socket }
  }

  it('gives its mode to the socket that it bound, not to what took its place', async () => {
    const path = join(stage.folder(), 's.sock')
    const victim = join(stage.folder(), 'victim')
    writeFileSync(victim, '')
    chmodSync(victim, 0o600)
    const { server, socket } = await bound(path)
    renameSync(path, `${path}.moved`)
    symlinkSync(victim, path)
    socket.open(0o666)
    expect(statSync(victim).mode & 0o777).toBe(0o600)
    expect(lstatSync(`${path}.moved`).mode & 0o777).toBe(0o666)
    socket.close()
    server.close()
  })

  it('takes no link, no file and no second name of another socket for its own', async () => {
    const folder = stage.folder()
    const { server, socket } = await bound(join(folder, 'other.sock'))
    socket.close()
    writeFileSync(join(folder, 'file'), '')
    symlinkSync(join(folder, 'other.sock'), join(folder, 'link'))
    linkSync(join(folder, 'other.sock'), join(folder, 'second'))
    for (const name of ['file', 'link', 'second'])
      expect(() => new BoundSocket(join(folder, name))).toThrow('another process replaced the socket')
    unlinkSync(join(folder, 'second'))
    server.close()
  })
})
