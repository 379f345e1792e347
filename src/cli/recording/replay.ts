import { pino } from 'pino'
import { formatVersion } from '../../api/version.ts'
import type { KnownEngine } from '../../tools/explain/releases.ts'
import { makeInspector } from '../../tools/inspect/lazily.ts'
import { privateBridge } from '../../tools/private-bridge.ts'
import { type RecordedCall, type Recording, readRecording } from '../../tools/recording/format.ts'
import { type Played, play } from '../../tools/recording/play.ts'
import { type Prediction, predict } from '../../tools/recording/predict.ts'
import { type Io, type Run, UsageError, unusable } from '../command.ts'
import { engineFor, isAddress } from '../explain/names.ts'
import { progress } from '../words/progress.ts'
import { count, fill, type Look, listing, lookOf, painted, type Style, shortIds, write } from '../words/text.ts'

/** The forecast for a recording on an engine, and the results of the calls that were repeated there. */
interface Replay {
  readonly recording: Recording
  readonly engine: KnownEngine
  readonly predictions: readonly Prediction[]
  /** The version that the bridge has to announce to serve all calls. */
  readonly announce: string | undefined
  readonly played: readonly Played[]
}

/** `enginebridge replay FILE --engine ENGINE`: what would happen to recorded calls on another engine. */
export const run: Run = async ({ words: [file = ''], value, has }, io) => {
  const engineText = value('engine')
  if (engineText === undefined)
    throw new UsageError('--engine ENGINE is missing: --engine 1.44, --engine 28.5 or --engine unix:///path')
  if (has('all') && !isAddress(engineText)) throw new UsageError('--all is for an engine at an address')
  const recording = await readRecording(file).catch(unusable)
  const engine = await engineFor(engineText, io.env)
  const predictions = recording.calls.map((call) => predict(call, engine))
  const announce = predictions.find((one) => one.announce !== undefined)?.announce
  const flags = ['--engine', engineText, ...(announce === undefined ? [] : ['--announce-api', announce])]
  const played = isAddress(engineText) ? await playAt(flags, recording, has('all'), io) : []
  const replay = { recording, engine, predictions, announce, played }
  write(io, has('json') ? asJson(replay) : undefined, () => report(replay, lookOf(io)))
  const bad = predictions.some(({ refused }) => refused !== undefined) || tally(played, 'differs') > 0
  return bad ? 1 : 0
}

const tally = (played: readonly Played[], kind: Played['outcome']['kind']): number =>
  played.filter(({ outcome }) => outcome.kind === kind).length

/** Through a bridge of its own, so that the client's version is served whatever the engine's range is. */
async function playAt(flags: readonly string[], { calls }: Recording, all: boolean, io: Io): Promise<Played[]> {
  const silent = { log: pino({ level: 'silent' }), inspector: makeInspector }
  const bridge = await privateBridge(flags, io.env, silent)
  try {
    const ids = new Map<string, string>()
    // One after the other, in the order in which they began.
    const inOrder = calls.toSorted((a, b) => a.at.localeCompare(b.at))
    const played: Played[] = []
    for await (const call of progress(inOrder, io, (done) => `replayed ${done} of ${calls.length} calls`))
      played.push(await play(call, bridge.address, all, ids))
    return played
  } finally {
    await bridge.close()
  }
}

function report({ recording: { header, calls }, engine, predictions, announce, played }: Replay, look: Look): string[] {
  const { columns } = look
  const versions = [...new Set(calls.map(({ client }) => client))]
  const of = versions.length === 0 ? '' : ` of API ${versions.join(', ')}`
  const { product = 'Docker Engine', release, lowest, highest } = header.engine
  const from = `recorded on ${product} ${release} (API ${lowest} to ${highest})`
  const range = `${formatVersion(engine.lowest)} to ${formatVersion(engine.highest)}`
  const direct = predictions.flatMap(({ refusedDirectly }) => refusedDirectly ?? [])
  const without = direct.length === 0 ? 'all are served.' : `${direct.length} are refused: ${direct[0]}`
  const announcing = `The bridge serves them all with --announce-api ${announce}; without it, a client that does not negotiate is refused.`
  return [
    ...painted(look, 'bold', `${count(calls.length, 'call')}${of}, ${from}`),
    ...fill(`On ${engine.name}, which serves ${range}:`, columns, '  ', ''),
    '',
    ...fill(`Without the bridge ${without}`, columns),
    ...(announce === undefined ? [] : fill(announcing, columns)),
    '',
    ...predictionLines(predictions, look),
    ...(played.length === 0 ? [] : ['', ...playedLines(played, look)]),
  ]
}

function predictionLines(predictions: readonly Prediction[], look: Look): string[] {
  const groups = Map.groupBy(
    predictions,
    ({ call: { client, operation, method } }) => `${client} ${operation ?? `${method} (unknown)`}`,
  )
  const rows = [...groups.values()].map((group) => {
    const [first] = group
    const refused = group.filter((one) => one.refused !== undefined).length
    const lost = group.filter(({ losses }) => losses.length > 0).length
    const verdict = [...(refused > 0 ? [`${refused} refused`] : []), ...(lost > 0 ? [`${lost} with a loss`] : [])]
    return [
      first?.call.operation ?? '(unknown)',
      first?.call.client ?? '',
      String(group.length),
      String(first?.changes.length ?? 0),
      verdict.join(', ') || 'served',
    ]
  })
  const details = predictions.flatMap(({ call, refused, losses, note }): [Style, string][] => {
    const name = call.operation ?? nameOf(call)
    return [
      ...(refused === undefined ? [] : [['red', `refused  ${name}: ${refused}`] satisfies [Style, string]]),
      ...losses.map((what): [Style, string] => ['yellow', `lost     ${name}: ${what}`]),
      ...(note === undefined ? [] : [['dim', `note     ${name}: ${note}`] satisfies [Style, string]]),
    ]
  })
  // Each is said once, however many calls have it.
  const lines = [...new Map(details.map(([style, text]) => [text, style]))]
  return [
    ...listing(look, '', ['with the bridge', '>client', '>calls', '>changes', ''], rows),
    ...(lines.length === 0 ? [] : ['']),
    ...lines.flatMap(([text, style]) => painted(look, style, text, ' '.repeat(9), '')),
  ]
}

const nameOf = ({ method, path }: RecordedCall): string => `${method} ${shortIds(path.split('?', 1)[0] ?? '')}`

function playedLines(played: readonly Played[], { columns, paint }: Look): string[] {
  const [same, differs] = [tally(played, 'same'), tally(played, 'differs')]
  const rest = `${tally(played, 'absent')} not there, ${tally(played, 'skipped')} not asked`
  const lines = played.flatMap(({ call, outcome }) => {
    const secret = outcome.kind === 'skipped' && outcome.why.includes('secret') ? [outcome.why] : []
    return (outcome.kind === 'differs' ? outcome.how : secret).map((one) => `${nameOf(call)}: ${one}`)
  })
  return [
    paint('bold', `Asked again: ${same} same, ${differs} other, ${rest}`),
    ...[...new Set(lines)].flatMap((text) => fill(text, columns, '    ', '  ')),
  ]
}

function asJson({ recording: { header, calls }, engine, predictions, played }: Replay): object {
  const outcomes = new Map(played.map(({ call, outcome }) => [call, outcome]))
  return {
    recorded: { calls: calls.length, engine: header.engine, started: header.started },
    engine: { name: engine.name, lowest: formatVersion(engine.lowest), highest: formatVersion(engine.highest) },
    calls: predictions.map(
      ({ call, refusedDirectly = null, refused = null, note = null, announce = null, ...rest }) => {
        const { method, path, client, operation = null } = call
        const { changes, losses, ignored } = rest
        const done = { withoutBridge: refusedDirectly, refused, changes, losses, ignored, note, announce }
        return { method, path, client, operation, ...done, asked: outcomes.get(call) }
      },
    ),
  }
}
