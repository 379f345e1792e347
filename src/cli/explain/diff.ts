import type { OperationName } from '../../api/operations.ts'
import { formatVersion } from '../../api/version.ts'
import { type Applied, applied } from '../../tools/explain/applies.ts'
import { forOperations } from '../../tools/explain/forecast.ts'
import type { Versions } from '../../translate/change.ts'
import type { Run } from '../command.ts'
import { count, fill, type Look, lookOf, painted, write } from '../words/text.ts'
import { callOf, clientVersion, nameVersion, operationFor } from './names.ts'

/** A change of at least this many operations is shown once, for all of them. */
const EVERYWHERE = 40

interface Group {
  /** Undefined: every operation, or nearly so. */
  readonly operation: OperationName | undefined
  readonly changes: readonly Applied[]
}

/** `enginebridge diff FROM TO [METHOD PATH]`: what differs between two versions, grouped by operation. */
export const run: Run = async ({ words: [from = '', to = '', method, path], has }, io) => {
  const only = operationFor(method, path)
  const versions = { client: clientVersion(from), target: clientVersion(to), highest: clientVersion(to) }
  const groups = only === undefined ? difference(versions) : [{ operation: only, changes: applied(only, versions) }]
  const told = groups.filter(({ changes }) => changes.length > 0)
  const look = lookOf(io)
  write(io, has('json') ? asJson(versions, told) : undefined, () => [
    ...painted(look, 'bold', `From ${nameVersion(versions.client)} to ${nameVersion(versions.target)}`),
    ...told.flatMap((group) => ['', ...groupLines(group, look)]),
    '',
    ...summary(versions, told, look),
  ])
  return 0
}

function difference(versions: Versions): readonly Group[] {
  const all = [...forOperations(versions)].map(([operation, changes]) => ({ operation, changes }))
  const applied = all.flatMap(({ changes }) => changes)
  const byId = Map.groupBy(applied, ({ change }) => change.id)
  const everywhere = ({ change }: Applied): boolean => (byId.get(change.id)?.length ?? 0) >= EVERYWHERE
  const common = [...byId.values()].flatMap(([one]) => (one !== undefined && everywhere(one) ? [one] : []))
  const own = all.map(({ operation, changes }) => ({ operation, changes: changes.filter((one) => !everywhere(one)) }))
  return [{ operation: undefined, changes: common }, ...own]
}

const titleOf = (operation: OperationName | undefined): string =>
  operation === undefined ? 'Every operation' : callOf(operation)

const groupLines = ({ operation, changes }: Group, { columns, paint }: Look): string[] => [
  paint('cyan', titleOf(operation)),
  ...changes.flatMap(({ change, losses }) => [
    ...fill(change.change.summary, columns, ' '.repeat(7), `  ${formatVersion(change.version)} `),
    ...losses
      .filter(({ outcome }) => outcome !== 'ignore')
      .flatMap(({ what, outcome }) =>
        fill(`${outcome === 'refuse' ? 'refused' : 'lost with a warning'}: ${what}`, columns, ' '.repeat(9)),
      ),
  ]),
]

/** Stands at the end, because the beginning of a long list has scrolled away. */
function summary({ client, target }: Versions, groups: readonly Group[], look: Look): string[] {
  const all = groups.flatMap(({ changes }) => changes)
  const differences = new Set(all.map(({ change }) => change.id)).size
  const values = (outcome: 'refuse' | 'warn'): number =>
    new Set(all.flatMap(({ losses }) => losses.filter((one) => one.outcome === outcome).map(({ what }) => what))).size
  const lost = `${count(values('refuse'), 'value')} refused, ${count(values('warn'), 'value')} lost with a warning`
  const [most] = groups
    .filter(({ operation }) => operation !== undefined)
    .toSorted((a, b) => b.changes.length - a.changes.length)
  const example = `One call alone: enginebridge diff ${formatVersion(client)} ${formatVersion(target)} ${titleOf(most?.operation)}`
  return [
    ...painted(look, 'bold', `${count(differences, 'difference')} in ${count(groups.length, 'group')}; ${lost}.`),
    ...(groups.length > 1 && most !== undefined ? fill(example, look.columns) : []),
  ]
}

const asJson = ({ client, target }: Versions, groups: readonly Group[]): object => ({
  from: formatVersion(client),
  to: formatVersion(target),
  groups: groups.map(({ operation, changes }) => ({
    operation: operation ?? null,
    call: titleOf(operation),
    changes: changes.map(({ change: { id, gate, change }, losses, legs }) => ({
      ...{ id, summary: change.summary, gate, legs, losses },
    })),
  })),
})
