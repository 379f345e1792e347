/**
 * `npm run installs`: each way of installing, by the commands of README.md on a clean machine, timed.
 *
 *   --way NAME     only this one (several times)
 *   --files DIR    the files of a release that are there already, in place of new ones
 *   --arm64        those of arm64 as well, made and tried under QEMU: a quarter of an hour the first time, then minutes
 *
 * Exits with 1 when one fails, with 2 when machines cannot run here.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { needTools } from '../../packaging/tools.ts'
import { table } from '../../src/cli/words/text.ts'
import { endEngines, startForBuilds, whyNoEngines } from '../live/support/engine-script.ts'
import { whyNoSystemd } from '../live/support/systemd.ts'
import { call } from '../support/client.ts'
import { runArm64 } from './arm64.ts'
import { chart, image } from './containers.ts'
import { makeFiles } from './make.ts'
import { SUBSTITUTIONS } from './readme.ts'
import { HOME } from './roots.ts'
import { deb, npm, oneFile, rpm, type Stage, type Tried, type Way } from './ways.ts'

const WAYS: Readonly<Record<string, Way>> = { 'one file': oneFile, deb, rpm, npm, image, chart }
const ENGINE = '28.5-min1.44'
const say = (line: string): void => void process.stderr.write(`${line}\n`)

const { values } = parseArgs({
  options: { way: { type: 'string', multiple: true }, files: { type: 'string' }, arm64: { type: 'boolean' } },
})

interface Row extends Tried {
  readonly way: string
  readonly failed?: string
}

async function attempt(way: string, act: Way, stage: Stage): Promise<Row> {
  say(`${way} …`)
  try {
    return { way, ...(await act(stage)) }
  } catch (cause) {
    const failed = cause instanceof Error ? cause.message : String(cause)
    say(`${way}: ${failed}`)
    return { way, failed: failed.split('\n')[0] ?? '' }
  }
}

async function onArch(
  arch: string,
  ways: Readonly<Record<string, Way>>,
  folder: string,
  engine: string,
): Promise<Row[]> {
  const files = values.files ?? join(folder, `files-${arch}`)
  if (values.files === undefined) {
    say(`the files of a release, ${arch} …`)
    await makeFiles(folder, files, arch)
  }
  const rows: Row[] = []
  for (const [way, act] of Object.entries(ways))
    if (values.way?.includes(way) ?? true) rows.push(await attempt(way, act, { folder, engine, files, arch }))
  return rows
}

async function main(folder: string): Promise<Row[]> {
  const engine = join(folder, 'engine', 'docker.sock')
  await startForBuilds(ENGINE, engine)
  const refused = await call(engine, '/v1.18/version')
  if (refused.status !== 400) throw new Error(`the engine takes 1.18: ${refused.text}`)
  const rows = await onArch(process.arch, WAYS, folder, engine)
  if (values.arm64 !== true) return rows
  await runArm64()
  return [...rows, ...(await onArch('arm64', { 'one file, arm64': oneFile, 'deb, arm64': deb }, folder, engine))]
}

const megabytes = (bytes: number | undefined): string => (bytes === undefined ? '' : (bytes / 1e6).toFixed(1))
const cells = ({ way, seconds, download, unpacked, firstAnswerMs, says, failed }: Row): string[] => [
  ...[way, seconds?.toFixed(1) ?? '', megabytes(download), megabytes(unpacked)],
  firstAnswerMs?.toFixed(0) ?? '',
  failed === undefined ? (says ?? 'works') : `failed: ${failed}`,
]

/** Why nothing can run here, or undefined. */
async function whyNot(): Promise<string | undefined> {
  const packages = { wget: 'wget', gpgv: 'gpgv', curl: 'curl', npm: 'npm', git: 'git', nsenter: 'util-linux' }
  const missing = await needTools(packages).catch((cause: Error) => cause.message)
  return missing ?? whyNoEngines() ?? whyNoSystemd()
}

const missing = await whyNot()
if (missing !== undefined) {
  say(`no clean machine can run here: ${missing}`)
  process.exit(2)
}
mkdirSync(HOME, { recursive: true })
const folder = mkdtempSync(join(HOME, 'installs-'))
const cleanUp = (): void => {
  endEngines((socket) => socket.startsWith(`${folder}/`))
  rmSync(folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
process.once('exit', cleanUp)
const rows = await main(folder)
say(
  table(
    ['README', 'says', 'done', 'because'],
    SUBSTITUTIONS.map((row) => row.map(String)),
  ).join('\n'),
)
const head = ['way', '>install s', '>download MB', '>unpacked MB', '>first answer ms', 'result']
process.stdout.write(`${table(head, rows.map(cells)).join('\n')}\n`)
process.exitCode = rows.some(({ failed }) => failed !== undefined) ? 1 : 0
