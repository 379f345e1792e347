import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { formatVersion } from '../../api/version.ts'
import { startBridge } from '../../proxy/bridge.ts'
import { readConfig } from '../../proxy/settings/config.ts'
import type { KnownEngine } from '../../tools/explain/releases.ts'
import { makeInspector } from '../../tools/inspect/lazily.ts'
import { type RecordedCall, type Recording, readRecording } from '../../tools/recording/format.ts'
import { type Played, Player } from '../../tools/recording/play.ts'
import { type Prediction, predict } from '../../tools/recording/predict.ts'
import { asUsage, type Io, type Run, UsageError } from '../command.ts'
import { engineFor } from '../explain/names.ts'
import { progress } from '../words/progress.ts'
import { count, fill, type Look, lookOf, painted, table, write } from '../words/text.ts'

/** `enginebridge replay FILE --engine ENGINE`: what would become of recorded calls on another engine. */
export const run: Run = async (given, io) => {
  const engineText = given.value('engine')
  if (engineText === undefined)
    throw new UsageError('--engine ENGINE is missing: --engine 1.44, --engine 28.5 or --engine unix:///path')
  const isAddress = /^[a-z]+:\/\//.test(engineText)
  if (given.has('all') && !isAddress) throw new UsageError('--all is for an engine at an address')
  const recording = await read(given.words[0] ?? '')
  const engine = await engineFor(engineText)
  const predictions = recording.calls.map((call) => predict(call, engine))
  const announce = predictions.find(({ announce: version }) => version !== undefined)?.announce
  const flags = ['--engine', engineText, ...(announce === undefined ? [] : ['--announce-api', announce])]
  const played = isAddress ? await playAt(flags, recording, given.has('all'), io) : []
  write(io, given.has('json') ? asJson(recording, engine, predictions, played) : undefined, () =>
    report(recording, engine, predictions, played, lookOf(io)),
  )
  const bad =
    predictions.some(({ refused }) => refused !== undefined) || played.some(({ outcome }) => outcome.kind === 'differs')
  return bad ? 1 : 0
}

async function read(file: string): Promise<Recording> {
  try {
    return await readRecording(file)
  } catch (cause) {
    throw asUsage(cause)
  }
}

/** Through a bridge of its own, so that the client's version is served whatever the engine's range is. */
async function playAt(
  flags: readonly string[],
  { calls }: Recording,
  all: boolean,
  io: Io,
): Promise<readonly Played[]> {
  const folder = await mkdtemp(join(tmpdir(), 'enginebridge-replay-'))
  const listen = join(folder, 's.sock')
  const config = readConfig(['--listen', `unix://${listen}`, '--grace', '0', ...flags], io.env)
  const bridge = await startBridge(config, {
    log: pino({ level: 'silent' }),
    audit: { write: () => undefined },
    inspector: makeInspector,
  })
  const { step, end } = progress(io, 'replayed', { of: calls.length, unit: 'calls' })
  try {
    const player = new Player({ kind: 'unix', path: listen }, all)
    const played: Played[] = []
    // One after the other, in the order in which they began.
    for (const call of calls.toSorted((a, b) => a.at.localeCompare(b.at))) {
      played.push(await player.play(call))
      step()
    }
    return played
  } finally {
    end()
    await bridge.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function report(
  { header, calls }: Recording,
  engine: KnownEngine,
  predictions: readonly Prediction[],
  played: readonly Played[],
  look: Look,
): string[] {
  const { columns } = look
  const versions = [...new Set(calls.map(({ client }) => client))].join(', ')
  const from = `${header.engine.product ?? 'Docker Engine'} ${header.engine.release} (API ${header.engine.lowest} to ${header.engine.highest})`
  const direct = predictions.filter(({ refusedDirectly }) => refusedDirectly !== undefined)
  return [
    ...painted(look, 'bold', `${count(calls.length, 'call')} of API ${versions}, recorded on ${from}`),
    ...fill(
      `On ${engine.name}, which serves ${formatVersion(engine.lowest)} to ${formatVersion(engine.highest)}:`,
      columns,
      '  ',
      '',
    ),
    '',
    ...fill(
      direct.length === 0
        ? 'Without the bridge all are served.'
        : `Without the bridge ${direct.length} are refused: ${direct[0]?.refusedDirectly}`,
      columns,
    ),
    ...announcing(predictions, columns),
    '',
    ...predictionLines(predictions, look),
    ...(played.length === 0 ? [] : ['', ...playedLines(played, look)]),
  ]
}

function announcing(predictions: readonly Prediction[], columns: number): string[] {
  const version = predictions.find(({ announce }) => announce !== undefined)?.announce
  if (version === undefined) return []
  return fill(
    `The bridge serves them all with --announce-api ${version}; without it, a client that does not negotiate is refused.`,
    columns,
  )
}

function predictionLines(predictions: readonly Prediction[], look: Look): string[] {
  const groups = Map.groupBy(
    predictions,
    ({ call }) => `${call.client} ${call.operation ?? `${call.method} (unknown)`}`,
  )
  const rows = [...groups].map(([, group]) => {
    const [first] = group
    const refused = group.filter((one) => one.refused !== undefined).length
    const lost = group.filter(({ losses }) => losses.length > 0).length
    const verdict = [...(refused > 0 ? [`${refused} refused`] : []), ...(lost > 0 ? [`${lost} with a loss`] : [])].join(
      ', ',
    )
    return [
      first?.call.operation ?? '(unknown)',
      first?.call.client ?? '',
      String(group.length),
      String(first?.changes.length ?? 0),
      verdict || 'served',
    ]
  })
  const [head = '', ...body] = table(['with the bridge', '>client', '>calls', '>changes', ''], rows)
  const told = new Set<string>()
  const details = predictions.flatMap(({ call, refused, losses, note }) => {
    const call_ = call.operation ?? nameOf(call)
    const lines = [
      ...(refused === undefined ? [] : [['red', `refused  ${call_}: ${refused}`] as const]),
      ...losses.map((what) => ['yellow', `lost     ${call_}: ${what}`] as const),
      ...(note === undefined ? [] : [['dim', `note     ${call_}: ${note}`] as const]),
    ]
    return lines
      .filter(([, text]) => isNew(text, told))
      .flatMap(([style, text]) => painted(look, style, text, ' '.repeat(9), ''))
  })
  return [look.paint('dim', head), ...body, ...(details.length === 0 ? [] : ['', ...details])]
}

function isNew(text: string, told: Set<string>): boolean {
  const { size } = told
  return told.add(text).size > size
}

/** Whole ids would fill the line. */
const nameOf = ({ method, path }: RecordedCall): string =>
  `${method} ${(path.split('?', 1)[0] ?? '').replaceAll(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, '$1')}`

function playedLines(played: readonly Played[], { columns, paint }: Look): string[] {
  const tally = (kind: Played['outcome']['kind']): number =>
    played.filter(({ outcome }) => outcome.kind === kind).length
  const title = `Asked again: ${tally('same')} same, ${tally('differs')} other, ${tally('absent')} not there, ${tally('skipped')} not asked`
  const told = new Set<string>()
  const lines = played.flatMap(({ call, outcome }) => {
    const secret = outcome.kind === 'skipped' && outcome.why.includes('secret') ? [outcome.why] : []
    const how = (outcome.kind === 'differs' ? outcome.how : secret).map((one) => `${nameOf(call)}: ${one}`)
    return how.filter((text) => isNew(text, told)).flatMap((text) => fill(text, columns, '    ', '  '))
  })
  return [paint('bold', title), ...lines]
}

function asJson(
  { header, calls }: Recording,
  engine: KnownEngine,
  predictions: readonly Prediction[],
  played: readonly Played[],
): object {
  return {
    recorded: { calls: calls.length, engine: header.engine, started: header.started },
    engine: { name: engine.name, lowest: formatVersion(engine.lowest), highest: formatVersion(engine.highest) },
    calls: predictions.map(({ call, ...prediction }) => ({
      method: call.method,
      path: call.path,
      client: call.client,
      operation: call.operation ?? null,
      withoutBridge: prediction.refusedDirectly ?? null,
      refused: prediction.refused ?? null,
      changes: prediction.changes,
      losses: prediction.losses,
      ignored: prediction.ignored,
      note: prediction.note ?? null,
      announce: prediction.announce ?? null,
      ...outcomeOf(call, played),
    })),
  }
}

function outcomeOf(call: RecordedCall, played: readonly Played[]): object {
  const found = played.find((one) => one.call === call)
  return found === undefined ? {} : { asked: found.outcome }
}
