import { isOperationName, type OperationName } from '../../api/operations.ts'
import { formatVersion, parseVersion } from '../../api/version.ts'
import { applied, type Lost, lossesOf } from '../../tools/explain/applies.ts'
import { forecast } from '../../tools/explain/forecast.ts'
import type { KnownEngine } from '../../tools/explain/releases.ts'
import type { Versions } from '../../translate/change.ts'
import { callOf, nameVersion } from '../explain/names.ts'
import { count, fill, painted, plain, type WholeLook } from '../words/text.ts'
import type { Usage } from './usage.ts'

/** The effect of an engine on the clients of one version that were seen, and on the calls that they make. */
export interface Outlook {
  readonly client: string
  readonly calls: number
  readonly clients: readonly string[]
  readonly without: {
    /** The engine's error for all of their calls. */
    readonly refusal: string | null
    /** The differences that affect such a client. */
    readonly changes: readonly Met[]
  }
  readonly with: {
    readonly target: string
    readonly note: string | null
    readonly changes: readonly Met[]
    /** Values that are lost or refused if a call has them. */
    readonly losses: readonly Lost[]
  }
}

interface Met {
  readonly id: string
  readonly summary: string
  /** The number of calls that were seen, by operation. */
  readonly operations: Readonly<Record<string, number>>
}

/** For each client version in the log, the version with the most calls first. */
export function outlooks({ versions: used, clients }: Usage, engine: KnownEngine): readonly Outlook[] {
  const byVersion = Map.groupBy(used.rows, ({ cells: [text = ''] }) => parseVersion(text))
  const found = [...byVersion].flatMap(([version, rows]): Outlook[] => {
    if (version === undefined) return []
    const { versions, refusal, refusedByBridge } = forecast(version, engine)
    const known = rows.flatMap(({ cells: [, name = ''], calls }) => (isOperationName(name) ? [{ name, calls }] : []))
    const agents = clients.rows.filter(({ cells }) => cells[1] === formatVersion(version))
    return [
      {
        client: formatVersion(version),
        calls: rows.reduce((sum, { calls }) => sum + calls, 0),
        clients: agents.map(({ cells: [agent = ''] }) => agent),
        without: {
          refusal: refusal ?? null,
          changes: refusal === undefined ? met(known, { ...versions, target: version }) : [],
        },
        with: {
          target: formatVersion(versions.target),
          note: refusedByBridge ?? null,
          changes: met(known, versions),
          losses: lossesOf(known.flatMap(({ name }) => applied(name, versions))),
        },
      },
    ]
  })
  return found.toSorted((a, b) => b.calls - a.calls)
}

type Seen = { readonly name: OperationName; readonly calls: number }

function met(seen: readonly Seen[], versions: Versions): readonly Met[] {
  const all = seen.flatMap(({ name, calls }) => applied(name, versions).map(({ change }) => ({ change, name, calls })))
  return [...Map.groupBy(all, ({ change }) => change.id)].map(([id, of]) => ({
    id,
    summary: of[0]?.change.change.summary ?? '',
    operations: Object.fromEntries(of.map(({ name, calls }) => [name, calls])),
  }))
}

/** Whether a value is lost depends on the contents of a call. */
const OUTCOMES = { refuse: 'can be refused', warn: 'can be lost, with a warning', ignore: 'can be lost' } as const

export function outlookLines(outlook: Outlook, { all, ...look }: WholeLook): string[] {
  const { columns } = look
  const { client, calls, clients, without, with: bridged } = outlook
  const version = parseVersion(client)
  const agents = clients.length === 0 ? '' : ` by ${clients.slice(0, 3).join(', ')}${clients.length > 3 ? ', …' : ''}`
  const title = `${version === undefined ? client : nameVersion(version)}: ${count(calls, 'call')}${agents}`
  const direct = without.refusal === null ? differs(without.changes) : `every call is refused: ${without.refusal}`
  const note = bridged.note === null ? '' : `${bridged.note}; `
  const spoken = `${note}spoken to in ${bridged.target}; ${count(bridged.changes.length, 'change')} translated`
  const indent = ' '.repeat(18)
  const lost = all ? bridged.losses : bridged.losses.filter(({ outcome }) => outcome !== 'ignore')
  return [
    ...painted(look, 'bold', plain(title), '    ', '  '),
    ...painted(look, without.refusal === null ? 'plain' : 'red', direct, indent, '  Without bridge  '),
    ...fill(spoken, columns, indent, '  With the bridge '),
    ...lost.flatMap(({ change, outcome }) => {
      const summary = bridged.changes.find(({ id }) => id === change)?.summary ?? ''
      const style = outcome === 'refuse' ? 'red' : 'yellow'
      return painted(look, style, `${OUTCOMES[outcome]}: ${summary} (${change})`, `${indent}  `, indent)
    }),
    ...(all ? bridged.changes : []).flatMap(({ id, summary, operations }) => [
      ...fill(`${summary} (${id})`, columns, '      ', '    '),
      ...painted(look, 'dim', Object.entries(operations).map(callCount).join(', '), '      '),
    ]),
  ]
}

const differs = (changes: readonly Met[]): string =>
  changes.length === 0
    ? 'served as it expects'
    : `served; ${count(changes.length, 'thing')} in its calls ${changes.length === 1 ? 'differs' : 'differ'} from what it was made for`

const callCount = ([name, calls]: [string, number]): string => `${callOf(name)} ${calls}×`
