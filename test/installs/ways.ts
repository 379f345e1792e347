import assert from 'node:assert/strict'
import { chownSync, copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { DEBIAN, RPM } from '../../packaging/formats.ts'
import { addNode, CERTIFICATES } from '../live/support/base-images.ts'
import { added, differences, firstAnswer, servesByHand, servesOldClients } from './checks.ts'
import { commands, type Section } from './readme.ts'
import { debian, type Files, filesIn, onCleanMachine, type Root, type Wanted } from './roots.ts'

/** The surroundings in which each way of installing is tried. */
export interface Stage {
  readonly folder: string
  /** The socket of an engine that refuses old clients. */
  readonly engine: string
  /** The files of a release. */
  readonly files: string
  readonly arch: string
}

export interface Tried {
  /** The duration of README's commands in seconds. */
  readonly seconds?: number
  readonly download?: number
  readonly unpacked?: number
  readonly firstAnswerMs?: number
  /** Printed instead of "works". */
  readonly says?: string
}

export type Way = (stage: Stage) => Promise<Tried>

const AS_FIRST = 'sleep infinity'
const LIMIT_MS = 300
const SLOW_MS = 600_000
/** Fails if the machine has Node or npm. */
const NO_NODE = 'if command -v node npm; then exit 1; fi'

const names = ({ arch }: Stage) => ({ arch, debian: DEBIAN[arch] ?? arch, rpm: RPM[arch] ?? arch })
/** Whether QEMU emulates the processor: times do not count, and systemd is left out. */
const played = ({ arch }: Stage): boolean => arch !== process.arch

/** Runs `act` on a clean Debian that has the engine's socket at README's path. */
export async function onDebian(
  stage: Stage,
  name: string,
  packages: readonly string[],
  how: Omit<Wanted, 'over'> & Required<Pick<Wanted, 'files'>>,
  act: (root: Root) => Promise<Tried>,
): Promise<Tried> {
  const over = await debian('bookworm', packages, stage.arch)
  const wanted = { over, folders: [`${dirname(stage.engine)}:/run/engine`], ...how }
  return onCleanMachine(join(stage.folder, name), wanted, async (root) => {
    await root.sh('ln -s engine/docker.sock /run/docker.sock')
    const download = how.files.reduce((sum, file) => sum + statSync(file).size, 0)
    return { download, ...(await act(root)) }
  })
}

async function timed(root: Root, script: string): Promise<number> {
  const begun = performance.now()
  await root.sh(script, SLOW_MS)
  return (performance.now() - begun) / 1000
}

/** On a Debian with only the C library: the C++ libraries, which apt needs, are removed. */
export const oneFile: Way = (stage) =>
  onDebian(stage, 'one-file', [], { files: filesIn(stage.files, '.tar.gz'), first: AS_FIRST }, async (root) => {
    await root.sh(`${NO_NODE}; rm -f /usr/lib/*/lib{stdc++,gcc_s,atomic}.so*`)
    const before = await root.files()
    const seconds = await timed(root, commands('One file', names(stage)))
    const unpacked = added(before, await root.files())
    root.path += `:${(await root.sh('echo /root/enginebridge-*/')).stdout.trim()}`
    const firstAnswerMs = await servesByHand(root)
    if (played(stage)) return { seconds, unpacked, firstAnswerMs }
    if (firstAnswerMs <= LIMIT_MS) return { seconds, unpacked, firstAnswerMs }
    assert.ok((loadavg()[0] ?? 0) > 3 * availableParallelism(), `the first answer took ${Math.round(firstAnswerMs)} ms`)
    const says = `works, but not within ${LIMIT_MS} ms: the machine is busy`
    return { seconds, unpacked, firstAnswerMs, says }
  })

/** Installs a package under systemd, checks it, and checks that its removal leaves no files. */
const linuxPackage =
  (section: Section, ending: string, ready: string, remove: string): Way =>
  (stage) => {
    const [packages, first] = played(stage) ? [[], { first: AS_FIRST }] : [['rpm', 'systemd'], {}]
    return onDebian(
      stage,
      ending.slice(1),
      packages,
      { files: filesIn(stage.files, ending), ...first },
      async (root) => {
        await root.sh(`${NO_NODE}; groupadd --system docker; ${ready}`)
        chownSync(stage.engine, 0, Number((await root.sh('getent group docker | cut -d: -f3')).stdout))
        const before = await root.files()
        const script = commands(section, names(stage))
        const seconds = await timed(root, played(stage) ? script.replace(/^systemctl .*$/m, '') : script)
        const unpacked = added(before, await root.files())
        const activatedMs = played(stage) ? undefined : await unitsServe(root)
        const firstAnswerMs = activatedMs ?? (await servesByHand(root))
        await root.sh(`rm -f /tmp/pid; ${remove}`)
        leavesNothing(before, await root.files())
        return { seconds, unpacked, firstAnswerMs }
      },
    )
  }

const UNITS = 'enginebridge.socket enginebridge.service'

/** Checks the units, then the socket activation. Returns the time of its first answer in ms. */
async function unitsServe(root: Root): Promise<number> {
  await servesOldClients(root.machine.path('/run/enginebridge/docker.sock'))
  const looked = await root.sh(`
    systemctl is-active ${UNITS} >/dev/null; systemctl is-enabled ${UNITS} >/dev/null
    stat -c '%U %G %a' /run/enginebridge/docker.sock
    stat -c '%U' /proc/$(systemctl show -P MainPID enginebridge.service) /run/enginebridge /var/log/enginebridge/audit.log
    grep -c '"complete".*"ContainerList"' /var/log/enginebridge/audit.log
    enginebridge doctor --config /etc/enginebridge/enginebridge.yaml >&2
    enginebridge health --config /etc/enginebridge/enginebridge.yaml >&2`)
  assert.deepEqual(looked.stdout.trim().split('\n'), [
    'enginebridge enginebridge 660',
    ...['enginebridge', 'enginebridge', 'enginebridge'],
    '1',
  ])
  await servesByHand(root)
  await root.sh('systemctl stop enginebridge.service 2>/dev/null')
  const begun = performance.now()
  return (await firstAnswer(root.machine.path('/run/enginebridge/docker.sock'), () => true)) - begun
}

function leavesNothing(before: Files, after: Files): void {
  const left = differences(before, after).map((path) => `${path}: ${before.get(path) ?? 'new'} → ${after.get(path)}`)
  assert.deepEqual(left, [], 'what is left')
}

export const deb = linuxPackage('Debian, Ubuntu', '.deb', '', 'dpkg --purge enginebridge')

/** A stand-in for the base packages of an rpm system: the rpm database of Debian does not list a C library. */
const BASE_RPM = `cat >/tmp/base.spec <<'END'
Name: base
Version: 1
Release: 1
Summary: x
License: x
Provides: glibc = 2.36, shadow-utils = 4, /bin/sh
%description
%files
END
rpmbuild --quiet -bb --define '_topdir /tmp/rpm' /tmp/base.spec
rpm -i --force-debian /tmp/rpm/RPMS/*/base-*.rpm
rm -rf /tmp/base.spec /tmp/rpm`
export const rpm = linuxPackage('Fedora, RHEL', '.rpm', BASE_RPM, 'rpm -e enginebridge')

export const npm: Way = (stage) => {
  const files = filesIn(stage.files, '.tgz')
  const prepare = async (upper: string): Promise<void> => {
    const registry = await addNode(upper, process.env)
    mkdirSync(join(upper, 'usr/local/etc'))
    writeFileSync(join(upper, 'usr/local/etc/npmrc'), `registry=${registry}\ncafile=${CERTIFICATES}\n`)
    for (const file of ['resolv.conf', 'hosts']) copyFileSync(`/etc/${file}`, join(upper, 'etc', file))
  }
  const how = { prepare, files, first: AS_FIRST, network: 'host' } as const
  // The library is Node's.
  return onDebian(stage, 'npm', ['libatomic1'], how, async (root) => {
    const before = await root.files()
    const seconds = await timed(root, commands('npm', { package: basename(files[0] ?? '') }))
    const unpacked = added(before, await root.files(), '/usr/local/')
    const said = await root.sh('npx enginebridge version')
    assert.match(said.stdout, /^enginebridge \S+ \(Node \S+\)\n$/)
    assert.equal(said.stderr, '', 'npx enginebridge says something beside')
    return { seconds, unpacked, firstAnswerMs: await servesByHand(root) }
  })
}
