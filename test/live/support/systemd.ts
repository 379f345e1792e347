import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { PROGRAM } from '../../support/program.ts'

const SCRIPT = join(import.meta.dirname, '..', 'systemd')
const ROOT = join(import.meta.dirname, '../../..')
const execute = promisify(execFile)

/** Why no systemd can run here, or undefined. */
export function whyNoSystemd(): string | undefined {
  const { status, stderr, error } = spawnSync(SCRIPT, ['check'], { encoding: 'utf8' })
  return status === 0 ? undefined : (error?.message ?? stderr.trim())
}

/** Polls until the condition holds; rejects after two minutes. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = performance.now() + 120_000; !(await holds()); await sleep(100))
    if (performance.now() > end) throw new Error(`never: ${what}`)
}

/** docker.socket as the packages have it; systemd's socket proxy forwards it to a real engine. */
export function layOut(root: string, engine: string): void {
  const units = join(root, 'etc/systemd/system')
  mkdirSync(join(units, 'sockets.target.wants'), { recursive: true })
  mkdirSync(join(root, 'var/lib'), { recursive: true })
  const write = (path: string, ...lines: string[]): void => writeFileSync(join(root, path), `${lines.join('\n')}\n`)
  write('etc/machine-id', '0123456789abcdef0123456789abcdef') // without one everything is enabled
  write('etc/passwd', 'root:x:0:0::/root:/bin/sh')
  write('etc/group', 'root:x:0:', 'docker:x:999:')
  for (const folder of ['etc', 'var']) write(`${folder}/.updated`) // no caches are made anew
  write('etc/systemd/system/default.target', '[Unit]', 'Requires=basic.target', 'After=basic.target')
  const socket = [
    '[Socket]',
    'ListenStream=/run/docker.sock',
    'SocketMode=0660',
    'SocketUser=root',
    'SocketGroup=docker',
  ]
  write('etc/systemd/system/docker.socket', ...socket)
  const service = [
    '[Unit]',
    'Requires=docker.socket',
    '[Service]',
    `ExecStart=/lib/systemd/systemd-socket-proxyd ${engine}`,
  ]
  write('etc/systemd/system/docker.service', ...service)
  symlinkSync('../docker.socket', join(units, 'sockets.target.wants/docker.socket'))
}

/** With `over`, the machine uses this Debian root folder instead of the host's programs. */
export interface Foreign {
  readonly over: string
  /** The first process; systemd by default. */
  readonly first?: string
  readonly network?: 'host'
}

/** A machine that systemd runs. */
export class Machine {
  /** Its first process. */
  readonly #pid: number
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, pid: number) {
    this.#child = child
    this.#pid = pid
  }

  /** Mounts `folders` of the host, and the program under test unless `over` is given. */
  static async boot(root: string, folders: readonly string[], foreign?: Foreign): Promise<Machine> {
    const node = dirname(dirname(process.execPath))
    const own = [ROOT, ...(node.startsWith(ROOT) || node.startsWith('/usr') ? [] : [node])]
    const seen = foreign === undefined ? [...own, ...folders] : folders
    const { over = '', first = '', network = '' } = foreign ?? {}
    const env = { ...process.env, OVER: over, FIRST: first, NET: network }
    const child = spawn(SCRIPT, ['boot', root, ...seen], { env, stdio: ['ignore', 'inherit', 'inherit'] })
    const name = first === '' ? 'systemd' : first.split(' ')[0]
    let pid = 0
    await until(() => {
      if (child.exitCode !== null) throw new Error(`systemd ended with ${child.exitCode}`)
      const [first = ''] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ')
      pid = Number(first)
      return first !== '' && readFileSync(`/proc/${first}/comm`, 'utf8') === `${name}\n`
    }, `${name} runs`)
    const machine = new Machine(child, pid)
    if (first !== '') return machine
    await until(
      () =>
        machine.run('systemctl', 'is-active', 'default.target').then(
          () => true,
          () => false, // systemctl has nobody to ask yet
        ),
      'the machine is up',
    )
    return machine
  }

  /** The host path of a path in the machine. */
  path(path: string): string {
    return `/proc/${this.#pid}/root${path}`
  }

  async run(...command: string[]): Promise<string> {
    const [script = '', ...words] = this.inside(...command)
    const { stdout } = await execute(script, words, { timeout: 60_000 })
    return stdout.trim()
  }

  /** The command line that runs a command in the machine. */
  inside(...command: string[]): string[] {
    return [SCRIPT, 'in', String(this.#pid), ...command]
  }

  /** The command line that runs a host command in the machine's network. */
  inNetwork(...command: string[]): string[] {
    return ['nsenter', '--net', '--target', String(this.#pid), ...command]
  }

  enginebridge(...args: string[]): Promise<string> {
    return this.run(...PROGRAM, ...args)
  }

  /** Like a power failure. */
  async cut(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
    await until(() => spawnSync(SCRIPT, ['sweep']).status === 0, 'its processes are gone')
  }
}
