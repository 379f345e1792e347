import { type OperationName, operationNamed } from '../../api/operations.ts'
import { formatVersion } from '../../api/version.ts'
import type { Applied } from '../../tools/explain/applies.ts'
import { type Forecast, forecast } from '../../tools/explain/forecast.ts'
import type { KnownEngine } from '../../tools/explain/releases.ts'
import { type BoundChange, type Example, examplesOf } from '../../translate/change.ts'
import type { Run } from '../command.ts'
import { count, fill, type Look, listing, lookOf, painted, write } from '../words/text.ts'
import { exampleLines } from './example.ts'
import {
  callOf,
  clientVersion,
  engineFor,
  forecastJson,
  type NamedClient,
  nameVersion,
  OUTCOMES,
  operationFor,
  programFor,
} from './names.ts'

/** `enginebridge explain CLIENT ENGINE [METHOD PATH]`: what happens to a client's calls on an engine, from the rules. */
export const run: Run = async ({ words, has, value }, io) => {
  const userAgent = value('client')
  const [client = '', engineText = '', method, path] = userAgent === undefined ? words : ['', ...words]
  const operation = operationFor(method, path)
  const engine = await engineFor(engineText, io.env)
  const program = userAgent === undefined ? undefined : programFor(userAgent, engine)
  const found = forecast(program?.speaks ?? clientVersion(client), engine)
  const named = program === undefined ? null : asProgram(program)
  const look = lookOf(io)
  write(io, has('json') ? { ...asJson(found, engine, operation), program: named } : undefined, () => [
    ...(program === undefined ? [] : [...fill(describe(program), look.columns), '']),
    ...opening(found, engine, look),
    '',
    ...(operation === undefined ? overview(found, look) : oneCall(operation, found, look)),
  ])
  return 0
}

function describe({ known: { name, reason, newerFields, understands, needs }, speaks, told }: NamedClient): string {
  const version = formatVersion(speaks)
  const unless = 'unless --known-clients is off'
  if (told) return `${name} ${reason}. It is told ${version}, ${unless}.`
  if (newerFields !== undefined && understands === undefined && needs === undefined)
    return `${name} ${reason}. Newer members pass that engines obey and show at every version, ${unless}.`
  return `${name} ${reason}. It works with ${version}, the highest version of this engine.`
}

const asProgram = ({ known: { name, understands }, speaks, told }: NamedClient): object => ({
  name,
  ...(understands === undefined ? {} : { understands: formatVersion(understands) }),
  told: told ? formatVersion(speaks) : null,
})

function opening(found: Forecast, engine: KnownEngine, look: Look): string[] {
  const { client, versions, refusal, refusedByBridge, changes, operations, changesWithoutBridge, losses } = found
  const range = `which serves ${formatVersion(engine.accepts === 0 ? engine.lowest : engine.accepts)} to ${formatVersion(engine.highest)}`
  const refused = losses.filter(({ outcome }) => outcome === 'refuse').length
  const without =
    refusal ??
    (changesWithoutBridge === 0
      ? 'served as it expects'
      : `served; ${count(changesWithoutBridge, 'thing')} differ from what it was made for`)
  const spoken = refusedByBridge ?? `the bridge speaks ${formatVersion(versions.target)} to the engine`
  const with_ = `${spoken}; ${count(changes, 'change')} in ${count(operations.size, 'operation')}, ${count(refused, 'value')} can be refused`
  return [
    ...painted(look, 'bold', `A client of ${nameVersion(client)} on ${engine.name}, ${range}`, '  ', ''),
    ...fill(without, look.columns, ' '.repeat(16), 'Without bridge  '),
    ...fill(with_, look.columns, ' '.repeat(16), 'With the bridge '),
  ]
}

function overview({ operations, client }: Forecast, look: Look): string[] {
  if (operations.size === 0) return ['Nothing differs between the two: every call passes as it is.']
  const rows = [...operations].map(([name, changes]) => {
    const outcomes = changes.flatMap(({ losses }) => losses.map(({ outcome }) => outcome))
    const worst = (['refuse', 'warn', 'ignore'] as const).find((outcome) => outcomes.includes(outcome))
    return [callOf(name), String(changes.length), worst === undefined ? '' : OUTCOMES[worst]]
  })
  const head = ['call', '>changes', 'outcome if unsupported']
  const next = `enginebridge explain ${formatVersion(client)} ENGINE METHOD PATH shows each change of one call.`
  return [...listing(look, '', head, rows), '', ...fill(next, look.columns)]
}

function oneCall(operation: OperationName, { operations }: Forecast, look: Look): string[] {
  const changes = operations.get(operation) ?? []
  const title = look.paint('bold', `${callOf(operation)} (${operation}): ${count(changes.length, 'change')}`)
  if (changes.length === 0) return [title, 'Request and response pass byte for byte.']
  return [title, ...changes.flatMap((one) => ['', ...aboutChange(operation, one, look)])]
}

const whose = ({ podman, gate }: Applied['change'], way: Applied['way']): string =>
  podman ? 'of Podman, at every version' : `newer than the ${way === 'up' ? 'client' : 'engine'}, ${gate}`

function aboutChange(
  operation: OperationName,
  { change, way, legs, descriptions, losses, emulated }: Applied,
  look: Look,
): string[] {
  const { columns, paint } = look
  const { summary } = change.change
  const mine = descriptions.map((words) => words.replace(/^(?:\w+, )*\w+: /, ''))
  return [
    `${paint('cyan', change.id)}  ${whose(change, way)}`,
    ...fill(summary, columns, '  '),
    ...fill(mine.join('; '), columns, ' '.repeat(8), '  Done: '),
    ...(emulated ? ['  Takes further calls to the engine.'] : []),
    ...losses.flatMap(({ what, outcome }) => {
      const words = descriptions.some((one) => one.endsWith(what)) ? 'what cannot be done so is' : `${what}:`
      const style = outcome === 'refuse' ? 'red' : 'yellow'
      return painted(look, style, `${words} ${OUTCOMES[outcome]}`, ' '.repeat(8), '  Lost: ')
    }),
    ...examplesFor(operation, change, legs).flatMap((example) => exampleLines(example, columns)),
    ...painted(look, 'dim', change.see, ' '.repeat(8), '  See:  '),
  ]
}

/** One example for each leg, of this operation only. */
const examplesFor = (operation: OperationName, change: BoundChange, legs: Applied['legs']): readonly Example[] => {
  const examples = examplesOf(change, { on: operation }).filter(({ profile }) => profile !== 'spec')
  return legs.flatMap((leg) => examples.find((one) => one.leg === leg) ?? [])
}

function asJson(found: Forecast, { name, lowest, highest }: KnownEngine, only: OperationName | undefined): object {
  const wanted = [...found.operations].filter(([operation]) => only === undefined || operation === only)
  return {
    client: formatVersion(found.client),
    engine: { name, lowest: formatVersion(lowest), highest: formatVersion(highest) },
    ...forecastJson(found),
    operations: wanted.map(([operation, changes]) => ({
      operation,
      method: operationNamed(operation).method,
      path: operationNamed(operation).path,
      changes: changes.map((one) => ({ ...changeJson(one), ...(only === undefined ? {} : detailsJson(only, one)) })),
    })),
  }
}

const changeJson = ({ change: { id, gate, change }, way, legs, emulated, losses }: Applied): object => ({
  ...{ id, gate, way, legs, summary: change.summary, emulated, losses },
})

const detailsJson = (operation: OperationName, { change, legs, descriptions }: Applied): object => ({
  done: descriptions,
  see: change.see,
  examples: examplesFor(operation, change, legs).map(({ on, leg, before, after }) => ({
    ...{ on, leg, before },
    after: typeof after === 'object' && 'refused' in after ? { refused: after.refused.source } : after,
  })),
})
