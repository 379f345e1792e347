import { type OperationName, operationNames } from '../../api/operations.ts'
import { formatVersion } from '../../api/version.ts'
import { type Applied, applied, versionsBetween } from '../../tools/explain/applies.ts'
import { engineNamed, type KnownEngine } from '../../tools/explain/releases.ts'
import type { Versions } from '../../translate/change.ts'
import { type Run, UsageError } from '../command.ts'
import { fill, lookOf, table, write } from '../words/text.ts'
import { callOf, clientVersion } from './names.ts'

/** Pairs that people ask for: old clients on engines of today, and clients of today on old engines. */
const USUAL = ['1.18:29', '1.24:29', '1.41:29', '1.24:28.5', '1.51:20.10']
/** The columns that the names of operations and one pair take. */
const [NAME_COLUMNS, PAIR_COLUMNS] = [26, 12]

const LEGEND =
  'CLIENT:ENGINE, the number of changes between them. ! some value that the engine lacks is refused; ? dropped, with a warning. Operations that are the same everywhere are left out.'

interface Pair {
  readonly text: string
  readonly versions: Versions
  readonly engine: KnownEngine
}

interface Row {
  readonly operation: OperationName
  /** The changes of each pair. */
  readonly cells: readonly (readonly Applied[])[]
}

/** `enginebridge matrix [CLIENT:ENGINE…]`: how much is done for each operation between pairs of versions. */
export const run: Run = async ({ words, has }, io) => {
  const pairs = (words.length === 0 ? USUAL : words).map(pair)
  const rows = operationNames
    .map((operation): Row => ({ operation, cells: pairs.map(({ versions }) => applied(operation, versions)) }))
    .filter(({ cells }) => cells.some((changes) => changes.length > 0))
  const { columns } = io.stdout
  // As many pairs as fit beside each other.
  const fits = Math.max(1, Math.floor((columns - NAME_COLUMNS) / PAIR_COLUMNS))
  write(io, has('json') ? asJson(pairs, rows) : undefined, () => [
    ...pairs.flatMap((_pair, i) => {
      if (i % fits > 0) return []
      const [head = '', ...body] = block(pairs, rows, i, i + fits)
      return [lookOf(io).paint('bold', head), ...body, '']
    }),
    ...fill(LEGEND, columns),
  ])
  return 0
}

function pair(text: string): Pair {
  const [client = '', engineText = ''] = text.split(':')
  const engine = engineNamed(engineText)
  if (engine === undefined) throw new UsageError(`"${text}" is not CLIENT:ENGINE, such as 1.24:28.5 or 1.18:1.44`)
  return { text, engine, versions: versionsBetween(clientVersion(client), engine) }
}

function block(pairs: readonly Pair[], rows: readonly Row[], from: number, to: number): string[] {
  const some = pairs.slice(from, to)
  const totals = some.map((_pair, i) => {
    const ids = rows.flatMap(({ cells }) => (cells[from + i] ?? []).map(({ change }) => change.id))
    return `${new Set(ids).size} `
  })
  return table(
    ['operation', ...some.map(({ text }) => `>${text}`)],
    [
      ...rows.map(({ operation, cells }) => [operation, ...cells.slice(from, to).map(cell)]),
      ['different changes', ...totals],
    ],
  )
}

const tally = (changes: readonly Applied[], wanted: string): number =>
  changes.flatMap(({ losses }) => losses.filter(({ outcome }) => outcome === wanted)).length

function cell(changes: readonly Applied[]): string {
  if (changes.length === 0) return '.'
  if (tally(changes, 'refuse') > 0) return `${changes.length}!`
  return `${changes.length}${tally(changes, 'warn') > 0 ? '?' : ' '}`
}

const asJson = (pairs: readonly Pair[], rows: readonly Row[]): object => ({
  pairs: pairs.map(({ versions, engine }) => ({
    client: formatVersion(versions.client),
    engine: engine.name,
    target: formatVersion(versions.target),
    highest: formatVersion(versions.highest),
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
})
