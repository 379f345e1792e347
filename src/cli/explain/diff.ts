import { type OperationName, operationNames } from '../../api/operations.ts'
import { type ApiVersion, formatVersion } from '../../api/version.ts'
import { type Applied, applied } from '../../tools/explain/applies.ts'
import type { Run } from '../command.ts'
import { count, fill, type Look, lookOf, painted, write } from '../words/text.ts'
import { callOf, clientVersion, nameVersion, operationFor } from './names.ts'

/** A change that so many operations have is told once, for all. */
const EVERYWHERE = 40

/** `enginebridge diff FROM TO [METHOD PATH]`: what differs between two versions, grouped by operation. */
export const run: Run = async ({ words, has }, io) => {
  const [, , method, path] = words
  const only = operationFor(method, path)
  const [from, to] = words.slice(0, 2).map(clientVersion)
  if (from === undefined || to === undefined) return 2
  const groups = difference(from, to, only)
  write(io, has('json') ? asJson(from, to, groups) : undefined, () => report({ from, to, only }, groups, lookOf(io)))
  return 0
}

interface Group {
  /** Undefined: every operation, or nearly so. */
  readonly operation: OperationName | undefined
  readonly changes: readonly Applied[]
}

function difference(from: ApiVersion, to: ApiVersion, only: OperationName | undefined): readonly Group[] {
  const exchange = { client: from, target: to, highest: to }
  if (only !== undefined) {
    const changes = applied(only, exchange)
    return changes.length === 0 ? [] : [{ operation: only, changes }]
  }
  const all = operationNames.map((operation) => ({ operation, changes: applied(operation, exchange) }))
  const counts = Map.groupBy(
    all.flatMap(({ changes }) => changes),
    ({ change }) => change.id,
  )
  const everywhere = ({ change }: Applied): boolean => (counts.get(change.id)?.length ?? 0) >= EVERYWHERE
  const common = [...counts.values()].flatMap(([one]) => (one !== undefined && everywhere(one) ? [one] : []))
  const own = all.map(({ operation, changes }) => ({ operation, changes: changes.filter((one) => !everywhere(one)) }))
  return [{ operation: undefined, changes: common }, ...own].filter(({ changes }) => changes.length > 0)
}

const titleOf = (operation: OperationName | undefined): string =>
  operation === undefined ? 'Every operation' : callOf(operation)

interface Wanted {
  readonly from: ApiVersion
  readonly to: ApiVersion
  readonly only: OperationName | undefined
}

/** Where it is long, its end says how much it was: the beginning is out of sight by then. */
const LONG = 60

function report(wanted: Wanted, groups: readonly Group[], look: Look): string[] {
  const lines = listed(wanted, groups, look)
  return lines.length <= LONG || wanted.only !== undefined ? lines : [...lines, '', ...summary(wanted, groups, look)]
}

function summary({ from, to }: Wanted, groups: readonly Group[], look: Look): string[] {
  const all = groups.flatMap(({ changes }) => changes)
  const changes = new Set(all.map(({ change }) => change.id))
  const values = (outcome: 'refuse' | 'warn'): number =>
    new Set(all.flatMap(({ losses }) => losses.filter((one) => one.outcome === outcome).map(({ what }) => what))).size
  const lost = `${count(values('refuse'), 'value')} refused, ${count(values('warn'), 'value')} lost with a warning`
  const [most] = groups
    .filter(({ operation }) => operation !== undefined)
    .toSorted((a, b) => b.changes.length - a.changes.length)
  const example = `enginebridge diff ${formatVersion(from)} ${formatVersion(to)} ${titleOf(most?.operation)}`
  return [
    ...painted(look, 'bold', `${count(changes.size, 'difference')} in ${count(groups.length, 'group')}; ${lost}.`),
    ...fill(`One call alone: ${example}`, look.columns),
  ]
}

function listed({ from, to }: Wanted, groups: readonly Group[], look: Look): string[] {
  const { columns, paint } = look
  const total = new Set(groups.flatMap(({ changes }) => changes.map(({ change }) => change.id))).size
  const title = `From ${nameVersion(from)} to ${nameVersion(to)}: ${count(total, 'difference')} in ${count(groups.length, 'group')}`
  return [
    ...painted(look, 'bold', title),
    ...groups.flatMap(({ operation, changes }) => [
      '',
      paint('cyan', titleOf(operation)),
      ...changes.flatMap(({ change, losses }) => [
        ...fill(change.change.summary, columns, ' '.repeat(7), `  ${formatVersion(change.version)} `),
        ...losses
          .filter(({ outcome }) => outcome !== 'ignore')
          .flatMap(({ what, outcome }) =>
            fill(`${outcome === 'refuse' ? 'refused' : 'lost with a warning'}: ${what}`, columns, ' '.repeat(9)),
          ),
      ]),
    ]),
  ]
}

function asJson(from: ApiVersion, to: ApiVersion, groups: readonly Group[]): object {
  return {
    from: formatVersion(from),
    to: formatVersion(to),
    groups: groups.map(({ operation, changes }) => ({
      operation: operation ?? null,
      call: titleOf(operation),
      changes: changes.map(({ change, losses, legs }) => ({
        id: change.id,
        summary: change.change.summary,
        gate: change.gate,
        legs,
        losses,
      })),
    })),
  }
}
