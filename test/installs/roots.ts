import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DEBIAN } from '../../packaging/formats.ts'
import { type Ended, run, succeed } from '../clients/command.ts'
import { engineScript } from '../live/support/engine-script.ts'
import { type Foreign, Machine } from '../live/support/systemd.ts'

/** Clean machines: a minimal Debian, made once by debootstrap and kept beside the engines, under a layer of their own. */

export const HOME = process.env['ENGINE_HOME'] ?? '/var/tmp/engines'
const ENV = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }
/** What debootstrap mounts goes with it, and it goes with this process. */
const ROOM = ['--pdeathsig', 'KILL', 'unshare', '--mount', '--pid', '--mount-proc', '--fork', '--kill-child']

/** The root folder of a Debian with these packages, and what they depend on. */
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
  /** Files that are put into /root, where commands run. */
  readonly files?: readonly string[]
  /** Adds to the root folder before the machine starts. */
  readonly prepare?: (root: string) => Promise<void>
  /** Folders of this machine that are there as well. */
  readonly folders?: readonly string[]
}

/** What a file is, by its path: `size mode owner` and what it holds. */
export type Files = ReadonlyMap<string, string>

export class Root {
  readonly machine: Machine
  /** Where programs are: what a login has, and folders that a way needs beside it. */
  path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

  constructor(machine: Machine) {
    this.machine = machine
  }

  /** What runs a script of bash in /root. */
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

  /** Runs one to its end; it must end with 0. */
  async sh(script: string, limitMs = 120_000): Promise<Ended> {
    const [file = '', ...words] = this.bash(script)
    const ended = await run(file, words, process.env, { limitMs })
    if (ended.code === 0) return ended
    const [command] = script.trim().split('\n')
    throw new Error(`${command}: ended with ${ended.code}: ${`${ended.stderr}\n${ended.stdout}`.trim().slice(-1500)}`)
  }

  /** Every file of the root and of /run. */
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

/** Does something on a clean machine, which is gone after that. */
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

/** The files of a folder by the ends of their names. */
export function filesIn(folder: string, ...ends: readonly string[]): string[] {
  return readdirSync(folder)
    .filter((name) => ends.some((end) => name.endsWith(end)))
    .map((name) => join(folder, name))
}
