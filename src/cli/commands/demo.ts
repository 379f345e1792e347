import { styleText } from 'node:util'
import { asJson, memberAt, stringOf } from '../../api/json/json.ts'
import { formatVersion } from '../../api/version.ts'
import { readCommandLine } from '../../config/command-line.ts'
import type { Environment } from '../../config/process.ts'
import { call } from '../../tools/demo/client.ts'
import { compare, type Line, layOut, SIDE_BY_SIDE_WIDTH } from '../../tools/demo/layout.ts'
import { type Step, session } from '../../tools/demo/session.ts'
import { type Stage, setUp } from '../../tools/demo/stage.ts'
import { answerLines, requestLines } from '../../tools/demo/text.ts'
import type { CallDetails, Message } from '../../tools/inspect/shown/view.ts'
import { candidates, nameEngine, standInNotice } from '../../tools/local-engine.ts'
import { UsageError } from '../command.ts'
import { report as reportFailure } from '../words/failure.ts'
import { fill, shortIds } from '../words/text.ts'

/** `npm run demo`: sessions of two legacy clients, each call as the client, the engine and the client again saw it. */
const VERSIONS = ['1.18', '1.22'] as const
const PIPE_WIDTH = 120
const EXIT_INTERRUPTED = 130

interface Show {
  readonly stage: Stage
  readonly width: number
  readonly name: string
  readonly stopped: AbortSignal
  readonly tally: { calls: number; changes: Set<string>; unexpected: string[] }
}

const say = (...lines: readonly string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`)
}

function opening({ stage, width }: Show): void {
  const { lowest, highest } = stage.engine.facts
  const range = `API ${formatVersion(lowest)} to ${formatVersion(highest)}`
  if (stage.engine.missing !== undefined) say(styleText(['bold', 'yellow'], standInNotice(stage.engine.missing)), '')
  const text = `Two clients of another time, of API ${VERSIONS.join(' and of API ')}, in front of ${nameEngine(stage.engine)}, which speaks ${range}.`
  say(...fill(text, width), '')
  say('~ changed on the way   < at the client only   > at the engine only', '')
}

/** The answer that the same client gets without a bridge. */
async function withoutBridge({ stage, width }: Show): Promise<void> {
  const url = `/v${VERSIONS[0]}/containers/json`
  const { status, body } = await call(stage.engine.address, { method: 'GET', url })
  const text =
    status < 400 ? `${status}: this engine still serves ${VERSIONS[0]}` : `${status} ${body.toString().trim()}`
  say(styleText('bold', `Without the bridge: GET ${url}`), ...fill(text, width, '  '))
}

async function play(show: Show, version: (typeof VERSIONS)[number]): Promise<void> {
  const { stage, width, stopped } = show
  say('', styleText(['bold', 'inverse'], ` A client of API ${version} `.padEnd(Math.min(width, PIPE_WIDTH))))
  const values: Record<string, string> = { SINCE: String(Math.floor(Date.now() / 1000)) }
  for (const step of session(version, stage.image, show.name)) {
    if (stopped.aborted) return
    values['NOW'] = String(Math.ceil(Date.now() / 1000))
    const url = `/v${version}${step.url.replace(/CONTAINER|EXEC|SINCE|NOW/g, (name) => values[name] ?? '')}`
    const ended = stage.next()
    const { status, body } = await call(stage.bridge, { ...step, url })
    showCall(show, version, step, status, await ended)
    // Empty in an error: the next calls show the effect.
    if (step.makes !== undefined) values[step.makes] = stringOf(memberAt(asJson(body.toString()), 'Id'))
  }
}

function showCall({ width, tally }: Show, version: string, step: Step, status: number, details: CallDetails): void {
  const { record, applied, clientRequest, engineRequest, clientResponse, engineResponse } = details
  const changes = new Set([...(applied.request ?? []), ...(applied.response ?? [])])
  const further = (record.furtherCalls ?? []).map(({ method, path }) => `${method} ${path}`)
  tally.calls++
  for (const change of changes) tally.changes.add(change)
  const fits = step.status === status
  if (!fits) tally.unexpected.push(`${version}, ${step.title}: ${status}, not ${step.status}`)
  say('', styleText('bold', `${version}  ${step.title}`))
  const spoken = /\/v([\d.]+)\//.exec(engineRequest?.line ?? '')?.[1] ?? '-'
  const columns: Line = { mark: 'same', left: `CLIENT, API ${version}`, right: `ENGINE, API ${spoken}` }
  if (width >= SIDE_BY_SIDE_WIDTH) say(styleText('dim', layOut([columns], width).join('\n')))
  const lines = (message: Message | undefined, of: typeof requestLines, absent: string[] = []): string[] =>
    message === undefined ? absent : of(message, details)
  const asked = compare(
    lines(clientRequest, requestLines),
    lines(engineRequest, requestLines, ['(not asked for this)']),
  )
  const answered = compare(lines(clientResponse, answerLines), lines(engineResponse, answerLines))
  say(...layOut(asked, width), ...rule(width), ...layOut(answered, width))
  if (further.length > 0)
    say(styleText('cyan', 'The bridge also asked:'), ...further.flatMap((line) => fill(shortIds(line), width, '  ')))
  if (changes.size > 0)
    say(...fill(['Changes applied:', ...changes].join(' '), width).map((line) => styleText('cyan', line)))
  if (!fits) say(styleText('red', `Unexpected: a client of ${version} takes ${step.status} for success`))
}

const rule = (width: number): string[] =>
  width >= SIDE_BY_SIDE_WIDTH ? layOut([{ mark: 'same', left: '', right: '' }], width) : ['  --']

function closing({ tally, width }: Show): number {
  const { calls, changes, unexpected } = tally
  say('')
  if (unexpected.length > 0) {
    say(styleText('red', `${unexpected.length} of ${calls} calls were answered otherwise than expected:`))
    say(...unexpected.map((line) => `  ${line}`))
    return 1
  }
  const text = `${calls} calls, every one answered as a client of its version expects; ${changes.size} different changes applied.`
  say(...fill(text, width).map((line) => styleText(['bold', 'green'], line)))
  return 0
}

async function main(args: readonly string[], env: Environment): Promise<number> {
  const { words, values, problems } = readCommandLine(args, [{ name: 'engine', value: 'ADDR', help: '' }])
  if (problems.length + words.length > 0) throw new UsageError('the only flag of the demo is --engine ADDR')
  const engine = values.get('engine')
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
  // Its reader has enough (`| head`): what the demo has made is removed all the same.
  process.stdout.on('error', () => stopping.abort())
  const stage = await setUp(engine ?? candidates(env))
  const show: Show = {
    stage,
    width: process.stdout.columns || Number(env['COLUMNS'] ?? PIPE_WIDTH), // 0: a terminal that does not know its own
    name: `bridge-demo-${process.pid}`,
    stopped: stopping.signal,
    tally: { calls: 0, changes: new Set(), unexpected: [] },
  }
  try {
    opening(show)
    await withoutBridge(show)
    for (const version of VERSIONS) await play(show, version)
    return stopping.signal.aborted ? EXIT_INTERRUPTED : closing(show)
  } finally {
    // Gone already when all went well; 404 then.
    await call(stage.engine.address, { method: 'DELETE', url: `/containers/${show.name}?force=1` })
    await stage.close()
  }
}

const args = process.argv.slice(2)
process.exitCode = await main(args, process.env).catch((cause: unknown) => reportFailure(cause, args))
// Idle timers and pools must not keep a finished program alive.
process.exit()
