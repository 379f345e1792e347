import { formatVersion } from '../../api/version.ts'
import type { EngineAddress } from '../../http/address.ts'
import { checkEngine, type EngineReport } from '../../tools/doctor/engine.ts'
import { exitCode, type Finding, type Level } from '../../tools/doctor/finding.ts'
import { checkListeners } from '../../tools/doctor/listeners.ts'
import { checkConfig, checkFiles, engineTls } from '../../tools/doctor/settings.ts'
import type { Forecast } from '../../tools/explain/forecast.ts'
import { releaseOf } from '../../tools/explain/releases.ts'
import type { Run } from '../command.ts'
import { engineAddress, forecastJson } from '../explain/names.ts'
import { count, fill, type Look, listing, lookOf, type Style, write } from '../words/text.ts'

/** `enginebridge doctor [ENGINE…]`: looks at engines, settings and the bridge's own listeners, and changes nothing. */
export const run: Run = async ({ has, words, settings }, io) => {
  const { config, readable, findings } = checkConfig(settings, io.env)
  // The engine is worth a look also when other settings cannot be used.
  const configured = readable.engine === undefined ? [] : [readable.engine]
  const addresses = words.length > 0 ? words.map(address) : configured
  const tls = engineTls(readable)
  const told = readable['known-clients'] !== 'off'
  const reports = await Promise.all(addresses.map((one) => checkEngine(one, tls, told)))
  const around =
    config === undefined ? [] : [...(await checkFiles(config, Date.now())), ...(await checkListeners(config))]
  const own = [...findings, ...around]
  const all = [...reports.flatMap((report) => report.findings), ...own]
  const code = exitCode(all)
  write(io, has('json') ? asJson(reports, own, code) : undefined, () => report(reports, own, code, lookOf(io)))
  return code
}

const address = (text: string): EngineAddress => engineAddress(text.startsWith('/') ? `unix://${text}` : text)

const STYLES = { ok: 'green', note: 'dim', warning: 'yellow', broken: 'red' } as const satisfies Record<Level, Style>
const LEVEL_COLUMNS = 9

function report(reports: readonly EngineReport[], own: readonly Finding[], code: number, look: Look): string[] {
  return [
    ...reports.flatMap((one) => [
      look.paint('bold', `Engine ${one.address}`),
      ...one.findings.flatMap((found) => findingLines(found, look)),
      ...clientLines(one, look),
      '',
    ]),
    look.paint('bold', 'The bridge'),
    ...own.flatMap((found) => findingLines(found, look)),
    '',
    ['All is well.', 'It works; see the warnings.', 'Something is broken.'][code] ?? '',
  ]
}

function findingLines({ level, about, says, advice }: Finding, { columns, paint }: Look): string[] {
  const indent = ' '.repeat(LEVEL_COLUMNS + 2)
  const [first = '', ...more] = fill(`${about}: ${says}`, columns, indent)
  const marked = `  ${paint(STYLES[level], level.padEnd(LEVEL_COLUMNS))}${first.trimStart()}`
  return [marked, ...more, ...(advice === undefined ? [] : fill(advice, columns, indent))]
}

function clientLines({ forecasts, address }: EngineReport, look: Look): string[] {
  const { columns } = look
  const [oldest] = forecasts
  if (oldest === undefined) return []
  const rows = forecasts.map((found) => {
    const release = releaseOf(found.client)
    const name = release === undefined ? '' : `Docker ${release}`
    return [formatVersion(found.client), name, without(found), withBridge(found)]
  })
  const someNewer = forecasts.some(({ refusedByBridge }) => refusedByBridge !== undefined)
  const lost = oldest.losses.filter(({ outcome }) => outcome === 'refuse')
  return [
    '',
    ...listing(look, '  ', ['client', 'as in', 'without the bridge', 'with the bridge'], rows),
    ...(someNewer ? fill(NEWER, columns, '    ', '  ') : []),
    ...(lost.length === 0 ? [] : ['', `  What a client of ${formatVersion(oldest.client)} may be refused:`]),
    ...lost.flatMap(({ what, change }) => fill(`${change}: ${what}`, columns, '      ', '    ')),
    '',
    ...fill(`enginebridge explain VERSION ${address} shows each change and loss.`, columns, '  '),
  ]
}

const NEWER =
  '* newer than the engine: one that negotiates comes down by itself, others need --announce-api with their version'

function without({ refusal, changesWithoutBridge }: Forecast): string {
  if (refusal !== undefined) return refusal.includes('too old') ? 'refused, too old' : 'refused, too new'
  return changesWithoutBridge === 0 ? 'served' : `served, ${changesWithoutBridge} differ`
}

function withBridge({ refusedByBridge, changes, losses }: Forecast): string {
  const lost = losses.filter(({ outcome }) => outcome === 'refuse').length
  const words = [
    changes === 0 ? 'served, untouched' : `served, ${count(changes, 'change')}`,
    ...(lost === 0 ? [] : [count(lost, 'loss', 'losses')]),
  ]
  return `${words.join(', ')}${refusedByBridge === undefined ? '' : ' *'}`
}

const asJson = (reports: readonly EngineReport[], own: readonly Finding[], code: number): object => ({
  exitCode: code,
  engines: reports.map(({ address, findings, facts, forecasts }) => ({
    address,
    engine:
      facts === undefined
        ? null
        : { ...facts, lowest: formatVersion(facts.lowest), highest: formatVersion(facts.highest) },
    findings,
    clients: forecasts.map((found) => ({ client: formatVersion(found.client), ...forecastJson(found) })),
  })),
  bridge: own,
})
