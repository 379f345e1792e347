import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { engineScript } from '../live/support/engine-script.ts'

/** OpenSSH's server on loopback, with a client's configuration that finds it as `far`. */
export interface Sshd {
  /** A folder with a program `ssh` for PATH: the machine's own, with the configuration of this server. */
  readonly path: string
  /** How many connections it has accepted so far. */
  accepted(): number
  /** Ends the connections that there are; new ones are served. */
  cut(): void
  stop(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}

/** Rejects where its packages cannot be had, or where it may not be started: it needs root and a mount namespace. */
export async function sshd(folder: string): Promise<Sshd> {
  const packages = ['openssh-server', 'libwrap0', 'libnsl2', 'libtirpc3'].map((name) => `${name}/bookworm`)
  const tool = (await engineScript('fetch', 'clients/sshd', ...packages)).trim()
  const file = (name: string): string => join(folder, name)
  for (const name of ['host', 'id']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)])
  const port = await freePort()
  const server = [`HostKey ${file('host')}`, `AuthorizedKeysFile ${file('id.pub')}`, 'ListenAddress 127.0.0.1']
  const plain = ['UsePAM no', 'StrictModes no', 'PidFile none', 'PermitRootLogin yes', 'LogLevel VERBOSE']
  writeFileSync(file('sshd.conf'), [...server, `Port ${port}`, ...plain, ''].join('\n'))
  const known = `[127.0.0.1]:${port} ${readFileSync(file('host.pub'), 'utf8')}`
  writeFileSync(file('known'), known)
  const client = ['Host far', 'HostName 127.0.0.1', `Port ${port}`, 'User root', `IdentityFile ${file('id')}`]
  writeFileSync(
    file('ssh.conf'),
    [...client, 'IdentitiesOnly yes', `UserKnownHostsFile ${file('known')}`, ''].join('\n'),
  )
  mkdirSync(file('bin'))
  writeFileSync(file('bin/ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F ${file('ssh.conf')} "$@"\n`)
  chmodSync(file('bin/ssh'), 0o755)
  // Its account and its folder are in a mount namespace of its own: nothing of the machine changes.
  const accounts = `${readFileSync('/etc/passwd', 'utf8')}\nsshd:x:64999:65534::/run/sshd:/usr/sbin/nologin\n`
  writeFileSync(file('passwd'), accounts)
  const mounts = `mount --make-rprivate / && mount --bind ${file('passwd')} /etc/passwd && mount -t tmpfs tmpfs /run && mkdir /run/sshd`
  const program = `LD_LIBRARY_PATH=${tool}/lib/x86_64-linux-gnu exec ${tool}/sbin/sshd -D -e -f ${file('sshd.conf')}`
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', 'unshare', '-m', 'sh', '-c', `${mounts} && ${program}`], {
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = { text: '' }
  child.stderr.on('data', (chunk: Buffer) => {
    said.text += chunk.toString()
  })
  for (let i = 0; !said.text.includes('Server listening'); i++) {
    if (child.exitCode !== null || i > 200) throw new Error(`sshd does not start: ${said.text}`)
    await sleep(20)
  }
  return {
    path: file('bin'),
    accepted: () => said.text.split('Accepted publickey').length - 1,
    cut: () => void spawnKill(child),
    stop: () => stopped(child),
  }
}

/** Its children are the connections. */
const spawnKill = (child: ChildProcess): void => {
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')
  for (const pid of children.filter((one) => one !== '')) process.kill(Number(pid), 'SIGTERM')
}

function stopped(child: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  child.once('exit', () => resolve())
  spawnKill(child)
  child.kill('SIGTERM')
  return promise
}
