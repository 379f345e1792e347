import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** So much processor time of each period, in microseconds. */
export interface Share {
  readonly quota: number
  readonly period: number
}

/** Twice the kernel's slice (5 ms), so that little is lost to being stopped; many periods to a round. */
export const FIFTH: Share = { quota: 10_000, period: 50_000 }

export type Holding =
  /** Held until then, or until this process exits. */
  | { readonly release: () => void }
  /** Nothing is held, and why. */
  | { readonly impossible: string }

/** Control groups that share out processor time, cgroups(7): version 1, a hierarchy for each controller, or version 2, one for all. */
interface Hierarchy {
  /** The group that this process is in, and those around it. */
  readonly groups: readonly string[]
  /** The files of a group that say its share (kernel documentation: sched-bwc, cgroup-v2). */
  readonly limits: (share: Share) => readonly (readonly [file: string, text: string])[]
}

/** Holds each of the processes, with all its threads, to the share, in a control group of its own. */
export function hold(pids: readonly number[], share: Share): Holding {
  const problems: string[] = []
  for (const hierarchy of hierarchies())
    for (const around of hierarchy.groups) {
      const group = new Groups(around, hierarchy.groups[0] ?? around)
      try {
        for (const pid of pids) group.add(pid, hierarchy.limits(share))
        return { release: group.release }
      } catch (cause) {
        // Read-only, no right, or the controller is not for the groups in there: perhaps further out.
        group.release()
        problems.push(cause instanceof Error ? cause.message : String(cause))
      }
    }
  return { impossible: problems[0] ?? 'no control groups for processor time are mounted' }
}

/** Groups made inside of one; what is left in them goes home. */
class Groups {
  readonly #around: string
  readonly #home: string
  readonly #made: string[] = []

  constructor(around: string, home: string) {
    this.#around = around
    this.#home = home
    process.prependListener('exit', this.release) // while what is in them still runs: then it can go home
  }

  add(pid: number, limits: readonly (readonly [file: string, text: string])[]): void {
    const group = join(this.#around, `enginebridge-bench-${pid}`)
    mkdirSync(group)
    this.#made.push(group)
    for (const [file, text] of limits) tell(join(group, file), text)
    tell(processesOf(group), String(pid))
  }

  readonly release = (): void => {
    process.off('exit', this.release)
    for (const group of this.#made.splice(0)) {
      for (const pid of readFileSync(processesOf(group), 'utf8').split('\n').filter(Boolean)) this.#sendHome(pid)
      rmdirSync(group)
    }
  }

  #sendHome(pid: string): void {
    try {
      tell(processesOf(this.#home), pid)
    } catch (cause) {
      if (!(cause instanceof Error && 'code' in cause && cause.code === 'ESRCH')) throw cause // it has ended meanwhile
    }
  }
}

const processesOf = (group: string): string => join(group, 'cgroup.procs')
/** The kernel makes these files with the group; one that is not there cannot be created. */
const tell = (file: string, text: string): void => writeFileSync(file, text, { flag: 'r+' })

const V1 = ({ quota, period }: Share) =>
  [
    ['cpu.cfs_period_us', String(period)],
    ['cpu.cfs_quota_us', String(quota)],
  ] as const
const V2 = ({ quota, period }: Share) => [['cpu.max', `${quota} ${period}`]] as const

/** Those mounted here: proc_pid_mountinfo(5), and where this process is in them: /proc/self/cgroup of cgroups(7). */
function hierarchies(): Hierarchy[] {
  const own = readFileSync('/proc/self/cgroup', 'utf8')
    .split('\n')
    .map((line) => /^\d+:([^:]*):(.*)$/.exec(line))
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
  return mounts.flatMap((line) => {
    const [, root, mount, type, options] = /^\S+ \S+ \S+ (\S+) (\S+) .*? - (\S+) \S+ (\S+)$/.exec(line) ?? []
    const second = type === 'cgroup2'
    if (root === undefined || mount === undefined) return []
    if (!second && !(type === 'cgroup' && has(options, 'cpu'))) return []
    const path = own.find((found) => (second ? found?.[1] === '' : has(found?.[1], 'cpu')))?.[2] ?? root
    return [{ groups: outwards(mount, relative(root, path)), limits: second ? V2 : V1 }]
  })
}

const has = (list: string | undefined, name: string): boolean => list?.split(',').includes(name) ?? false

/** The folder of a group and those around it, up to the mount; the mount alone when the group is not below it. */
function outwards(mount: string, path: string): string[] {
  if (path === '') return [mount]
  if (path.startsWith('..')) return [mount]
  return [join(mount, path), ...outwards(mount, dirname(path) === '.' ? '' : dirname(path))]
}
