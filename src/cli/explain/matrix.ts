import { type OperationName, operationNames } from '../../api/operations.ts'
import { formatVersion } from '../../api/version.ts'
import { type Applied, applied, exchangeOf } from '../../tools/explain/applies.ts'
import { engineNamed, type KnownEngine } from '../../tools/explain/releases.ts'
import type { Exchange } from '../../translate/change.ts'
import { type Run, UsageError } from '../command.ts'
import { fill, painter, table, write } from '../words/text.ts'
import { callOf, clientVersion } from './names.ts'

/** Pairs that people ask for: old clients on engines of today, and clients of today on old engines. */
const USUAL = ['1.18:29', '1.24:29', '1.41:29', '1.24:28.5', '1.51:20.10']
/** What the names of operations and one pair take of a line. */
const [NAME_COLUMNS, PAIR_COLUMNS] = [26, 12]

/** `enginebridge matrix [CLIENT:ENGINE…]`: how much is done for each operation between pairs of versions. */
export const run: Run = async ({ words, has }, io) => {
  const pairs = (words.length === 0 ? USUAL : words).map(pair)
  const rows = operationNames
    .map((operation): Row => ({ operation, cells: pairs.map(({ exchange }) => applied(operation, exchange)) }))
    .filter(({ cells }) => cells.some((changes) => changes.length > 0))
  const { columns } = io.stdout
  const fits = Math.max(1, Math.floor((columns - NAME_COLUMNS) / PAIR_COLUMNS))
  write(io, has('json') ? asJson(pairs, rows) : undefined, () => [
    ...Array.from({ length: Math.ceil(pairs.length / fits) }, (_none, i) => {
      const [head = '', ...body] = block(pairs, rows, i * fits, (i + 1) * fits)
      return [painter(io)('bold', head), ...body, '']
    }).flat(),
    ...fill(LEGEND, columns),
  ])
  return 0
}

const LEGEND =
  'CLIENT:ENGINE, the number of changes between them. ! some value that the engine lacks is refused; ? dropped, with a warning. Operations that are the same everywhere are left out.'

/** As many pairs as fit beside each other. */
function block(pairs: readonly Pair[], rows: readonly Row[], from: number, to: number): string[] {
  const some = rows.map(({ operation, cells }) => ({ operation, cells: cells.slice(from, to) }))
  const head = ['operation', ...pairs.slice(from, to).map(({ text }) => `>${text}`)]
  return table(head, [...some.map(line), totals(some)])
}

interface Pair {
  readonly text: string
  readonly exchange: Exchange
  readonly engine: KnownEngine
}

interface Row {
  readonly operation: OperationName
  readonly cells: readonly (readonly Applied[])[]
}

function pair(text: string): Pair {
  const [client = '', engineText = ''] = text.split(':')
  const engine = engineNamed(engineText)
  if (engine === undefined)
    throw new UsageError(`"${text}" is no pair; write CLIENT:ENGINE, such as 1.24:28.5 or 1.18:1.44`)
  return { text, engine, exchange: exchangeOf(clientVersion(client), engine) }
}

const outcomes = (changes: readonly Applied[]): readonly string[] =>
  changes.flatMap(({ losses }) => losses.map(({ outcome }) => outcome))

function cell(changes: readonly Applied[]): string {
  const lost = outcomes(changes)
  return changes.length === 0
    ? '.'
    : `${changes.length}${lost.includes('refuse') ? '!' : lost.includes('warn') ? '?' : ' '}`
}

const line = ({ operation, cells }: Row): string[] => [operation, ...cells.map(cell)]

function totals(rows: readonly Row[]): string[] {
  const columns = rows[0]?.cells.length ?? 0
  return [
    'different changes',
    ...Array.from({ length: columns }, (_none, i) => {
      const all = rows.flatMap(({ cells }) => cells[i] ?? [])
      return `${new Set(all.map(({ change }) => change.id)).size} `
    }),
  ]
}

const tally = (changes: readonly Applied[], outcome: string): number =>
  outcomes(changes).filter((one) => one === outcome).length

function asJson(pairs: readonly Pair[], rows: readonly Row[]): object {
  return {
    pairs: pairs.map(({ exchange, engine }) => ({
      client: formatVersion(exchange.client),
      engine: engine.name,
      target: formatVersion(exchange.target),
      highest: formatVersion(exchange.highest),
    })),
    operations: rows.map(({ operation, cells }) => ({
      operation,
      call: callOf(operation),
      cells: cells.map((changes) => ({
        changes: changes.map(({ change }) => change.id),
        refused: tally(changes, 'refuse'),
        warned: tally(changes, 'warn'),
      })),
    })),
  }
}
