import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DEBIAN } from '../../packaging/formats.ts'
import { type Ended, run, succeed } from '../clients/command.ts'
import { engineScript } from '../live/support/engine-script.ts'
import { type Foreign, Machine } from '../live/support/systemd.ts'

/** Clean machines: a minimal Debian from debootstrap, kept beside the engines, with a fresh overlay for each machine. */

export const HOME = process.env['ENGINE_HOME'] ?? '/var/tmp/engines'
const ENV = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }
/** Runs debootstrap in its own mount namespace, which ends with this process. */
const ROOM = ['--pdeathsig', 'KILL', 'unshare', '--mount', '--pid', '--mount-proc', '--fork', '--kill-child']

/** The root folder of a Debian with these packages and their dependencies. */
export async function debian(release: string, packages: readonly string[], arch: string): Promise<string> {
  const of = DEBIAN[arch] ?? arch
  const folder = join(HOME, 'roots', [release, of, ...packages].join('-'))
  if (existsSync(folder)) return folder
  const tool = (await engineScript('fetch', 'clients/debootstrap', 'debootstrap/bookworm')).trim()
  const mirror = /\] (\S+) /.exec(readFileSync(join(HOME, 'apt/sources.list'), 'utf8'))?.[1] ?? ''
  const part = `${folder}.part`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(dirname(part), { recursive: true })
  const include = packages.length === 0 ? [] : [`--include=${packages.join(',')}`]
  const command = [join(tool, 'sbin/debootstrap'), '--variant=minbase', `--arch=${of}`, ...include]
  const env = { ...ENV, DEBOOTSTRAP_DIR: join(tool, 'share/debootstrap') }
  await succeed('setpriv', [...ROOM, 'sh', ...command, release, part, mirror], env, { limitMs: 3_600_000 })
  rmSync(join(part, 'var/cache/apt/archives'), { recursive: true })
  renameSync(part, folder)
  return folder
}

export interface Wanted extends Foreign {
  /** Files to copy into /root, the working directory of commands. */
  readonly files?: readonly string[]
  /** Changes the root folder before the machine starts. */
  readonly prepare?: (root: string) => Promise<void>
  /** Host folders to mount into the machine. */
  readonly folders?: readonly string[]
}

/** Files by path: `size mode owner`, and the content. */
export type Files = ReadonlyMap<string, string>

export class Root {
  readonly machine: Machine
  /** PATH: that of a login, and further folders of one way. */
  path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

  constructor(machine: Machine) {
    this.machine = machine
  }

  /** The command line that runs a bash script in /root. */
  bash(script: string): string[] {
    return this.machine.inside(
      'env',
      `PATH=${this.path}`,
      'bash',
      '--norc',
      '-euo',
      'pipefail',
      '-c',
      `cd /root\n${script}`,
    )
  }

  /** Runs a script and throws unless it exits with 0. */
  async sh(script: string, limitMs = 120_000): Promise<Ended> {
    const [file = '', ...words] = this.bash(script)
    const ended = await run(file, words, process.env, { limitMs })
    if (ended.code === 0) return ended
    const [command] = script.trim().split('\n')
    throw new Error(`${command}: ended with ${ended.code}: ${`${ended.stderr}\n${ended.stdout}`.trim().slice(-1500)}`)
  }

  /** All files of the root folder and of /run. */
  async files(): Promise<Files> {
    const printed = String.raw`\( -type f -printf '%s %M %U:%G\t%p\n' \) -o -printf '0 %M %U:%G %l\t%p\n'`
    const list = `find / /run -xdev ${printed}; find / /run -xdev -type f -exec sha256sum {} + | sed 's/  /\\t/'`
    const files = new Map<string, string>()
    for (const line of (await this.sh(list)).stdout.trimEnd().split('\n')) {
      const [is = '', path = ''] = line.split('\t')
      const had = files.get(path)
      files.set(path, had === undefined ? is : `${had} ${is}`)
    }
    return files
  }
}

/** Starts a clean machine, runs `act` on it and removes the machine. */
export async function onCleanMachine<T>(folder: string, wanted: Wanted, act: (root: Root) => Promise<T>): Promise<T> {
  const upper = join(folder, 'upper')
  mkdirSync(join(upper, 'root'), { recursive: true })
  for (const file of wanted.files ?? []) cpSync(file, join(upper, 'root', basename(file)), { recursive: true })
  await wanted.prepare?.(upper)
  const machine = await Machine.boot(folder, wanted.folders ?? [], wanted)
  try {
    return await act(new Root(machine))
  } finally {
    await machine.cut()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Finds files of a folder by the ends of their names. */
export function filesIn(folder: string, ...ends: readonly string[]): string[] {
  return readdirSync(folder)
    .filter((name) => ends.some((end) => name.endsWith(end)))
    .map((name) => join(folder, name))
}
