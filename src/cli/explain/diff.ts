import { type OperationName, operationNamed, operationNames } from '../../api/operations.ts'
import { type ApiVersion, formatVersion } from '../../api/version.ts'
import { type Applied, applied } from '../../explain/applies.ts'
import { readArguments } from '../arguments.ts'
import type { Run } from '../command.ts'
import { commandNamed } from '../commands.ts'
import { count, fill, painter } from '../text.ts'
import type { Look } from './explain.ts'
import { clientVersion, nameVersion } from './names.ts'

/** A change that so many operations have is told once, for all. */
const EVERYWHERE = 40

/** `enginebridge diff FROM TO`: what differs between two versions, grouped by operation. */
export const run: Run = async (args, io) => {
  const { words, has } = readArguments(args, commandNamed('diff').flags ?? [], { least: 2 })
  const [from, to] = words.map(clientVersion)
  if (from === undefined || to === undefined) return 2
  const groups = difference(from, to)
  if (has('json')) io.stdout.write(`${JSON.stringify(asJson(from, to, groups), null, 2)}\n`)
  else {
    const look = { columns: io.stdout.columns, paint: painter(io) }
    io.stdout.write(`${report(from, to, groups, look).join('\n')}\n`)
  }
  return 0
}

export interface Group {
  /** Undefined: every operation, or nearly so. */
  readonly operation: OperationName | undefined
  readonly changes: readonly Applied[]
}

function difference(from: ApiVersion, to: ApiVersion): readonly Group[] {
  const exchange = { client: from, target: to, highest: to }
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

const titleOf = (operation: OperationName | undefined): string => {
  if (operation === undefined) return 'Every operation'
  const { method, path } = operationNamed(operation)
  return `${method} ${path}`
}

function report(from: ApiVersion, to: ApiVersion, groups: readonly Group[], { columns, paint }: Look): string[] {
  const total = new Set(groups.flatMap(({ changes }) => changes.map(({ change }) => change.id))).size
  const title = `From ${nameVersion(from)} to ${nameVersion(to)}: ${count(total, 'difference')} in ${count(groups.length, 'group')}`
  return [
    ...fill(title, columns).map((line) => paint('bold', line)),
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
