import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import net from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listen } from '../../src/http/listen/listen.ts'
import { stages } from '../support/bridge.ts'
import { tally } from '../support/tally.ts'

tally('unix sockets')

const root = process.getuid?.() === 0

describe('a unix listener', () => {
  const stage = stages()
  const at = (): { kind: 'unix'; path: string } => ({ kind: 'unix', path: join(stage.folder(), 's.sock') })

  it('gets the mode asked for, 0660 by itself', async () => {
    for (const mode of [0o660, 0o600, 0o666]) {
      const server = net.createServer()
      const address = at()
      await listen(server, address, { 'socket-mode': mode })
      expect(statSync(address.path).mode & 0o777).toBe(mode)
      server.close()
      await once(server, 'close')
    }
  })

  it('stays when connections cannot be accepted for want of descriptors', async () => {
    const server = net.createServer()
    await listen(server, at())
    for (let i = 0; i < 2; i++) server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }))
    expect(server.listening).toBe(true)
    server.close()
  })

  it.runIf(root)('gets the owner and group asked for, by name or number', async () => {
    const server = net.createServer()
    const address = at()
    await listen(server, address, { 'socket-mode': 0o660, 'socket-owner': 'nobody', 'socket-group': '4242' })
    const { uid, gid } = statSync(address.path)
    expect([uid, gid]).toEqual([65534, 4242])
    server.close()
  })

  it('leaves nothing behind when there is no such owner', async () => {
    const address = at()
    await expect(
      listen(net.createServer(), address, { 'socket-mode': 0o660, 'socket-owner': 'nosuchuser' }),
    ).rejects.toThrow(/no user nosuchuser/)
    // It was `The value of "gid" is out of range`; the last is chown's word for "unchanged".
    for (const group of ['99999999999', String(2 ** 32 - 1)])
      await expect(
        listen(net.createServer(), address, { 'socket-mode': 0o660, 'socket-group': group }),
      ).rejects.toThrow(`no group ${group} in /etc/group; give a name from there or a number`)
    expect(existsSync(address.path)).toBe(false)
  })

  it.runIf(root)('is never open to others between its creation and its final mode', async () => {
    // A second process tries to connect as somebody else for as long as the socket is being made, again and again.
    const address = at()
    const script = `
      const net = require('node:net')
      process.setgroups([]); process.setgid(4243); process.setuid(4243)
      process.stdout.write('ready')
      const attempt = () => {
        const socket = net.connect(${JSON.stringify(address.path)})
        socket.on('connect', () => { process.stdout.write('IN'); process.exit() })
        socket.on('error', () => setImmediate(attempt))
      }
      attempt()`
    const { chmodSync } = await import('node:fs')
    chmodSync(stage.folder(), 0o755)
    const intruder = spawn(process.execPath, ['-e', script])
    let said = ''
    intruder.stdout.on('data', (chunk) => {
      said += chunk
    })
    await once(intruder.stdout, 'data')
    for (let i = 0; i < 200; i++) {
      const server = net.createServer((socket) => socket.destroy())
      await listen(server, address, { 'socket-mode': 0o660, 'socket-owner': 'nobody' })
      server.close()
      await once(server, 'close')
    }
    intruder.kill()
    expect(said).toBe('ready')
  })
})
