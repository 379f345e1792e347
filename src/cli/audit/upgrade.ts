import { isOperationName, type OperationName } from '../../api/operations.ts'
import { formatVersion, parseVersion } from '../../api/version.ts'
import { type Applied, applied, type Lost, lossesOf } from '../../tools/explain/applies.ts'
import { forecast } from '../../tools/explain/forecast.ts'
import type { KnownEngine } from '../../tools/explain/releases.ts'
import { callOf, nameVersion } from '../explain/names.ts'
import { count, fill, type Look, painted } from '../words/text.ts'
import { plain } from './records.ts'
import type { Usage } from './usage.ts'

/** What an engine would mean for the clients of one version that were seen, and the calls that they make. */
export interface Outlook {
  readonly client: string
  readonly calls: number
  readonly clients: readonly string[]
  readonly without: {
    /** The engine's words to every call of theirs. */
    readonly refusal: string | null
    /** What such a client would meet that differs from what it was made for. */
    readonly changes: readonly Met[]
  }
  readonly with: {
    readonly target: string
    readonly note: string | null
    readonly changes: readonly Met[]
    /** What can be lost or refused, if a call says it. */
    readonly losses: readonly Lost[]
  }
}

interface Met {
  readonly id: string
  readonly summary: string
  /** Of the calls that were seen, with how many of them. */
  readonly operations: Readonly<Record<string, number>>
}

/** For each client version in the log, the version with the most calls first. */
export function outlooks({ versions, clients }: Usage, engine: KnownEngine): readonly Outlook[] {
  return [...versions]
    .flatMap(([text, operations]) => {
      const version = parseVersion(text)
      return version === undefined ? [] : [{ version, operations }]
    })
    .map(({ version, operations }): Outlook => {
      const { exchange, refusal, refusedByBridge } = forecast(version, engine)
      const known = [...operations].flatMap(([name, calls]) => (isOperationName(name) ? [{ name, calls }] : []))
      const bridged = known.map((one) => ({ ...one, changes: applied(one.name, exchange) }))
      const direct = known.map((one) => ({ ...one, changes: applied(one.name, { ...exchange, target: version }) }))
      return {
        client: formatVersion(version),
        calls: operations.values().reduce((sum, calls) => sum + calls, 0),
        clients: [...clients.values()]
          .filter((one) => one.version === formatVersion(version))
          .map((one) => one.userAgent),
        without: { refusal: refusal ?? null, changes: refusal === undefined ? met(direct) : [] },
        with: {
          target: formatVersion(exchange.target),
          note: refusedByBridge ?? null,
          changes: met(bridged),
          losses: lossesOf(bridged.flatMap(({ changes }) => changes)),
        },
      }
    })
    .sort((a, b) => b.calls - a.calls)
}

function met(
  operations: readonly { readonly name: OperationName; readonly calls: number; readonly changes: readonly Applied[] }[],
): readonly Met[] {
  const found = new Map<string, { id: string; summary: string; operations: Record<string, number> }>()
  for (const { name, calls, changes } of operations)
    for (const { change } of changes) {
      const one = found.get(change.id) ?? { id: change.id, summary: change.change.summary, operations: {} }
      one.operations[name] = calls
      found.set(change.id, one)
    }
  return [...found.values()]
}

/** Whether it happens is up to what a call says. */
const OUTCOMES = { refuse: 'can be refused', warn: 'can be lost, with a warning', ignore: 'can be lost' } as const

const summaryOf = (id: string, changes: readonly Met[]): string =>
  `${changes.find((change) => change.id === id)?.summary ?? ''} (${id})`

export function outlookLines(outlook: Outlook, { all, ...look }: Look & { readonly all: boolean }): string[] {
  const { columns } = look
  const { client, calls, clients, without, with: bridged } = outlook
  const version = parseVersion(client)
  const agents = clients.length === 0 ? '' : ` by ${clients.slice(0, 3).join(', ')}${clients.length > 3 ? ', …' : ''}`
  const title = `${version === undefined ? client : nameVersion(version)}: ${count(calls, 'call')}${agents}`
  const direct = without.refusal === null ? differs(without.changes) : `every call is refused: ${without.refusal}`
  const spoken = `spoken to in ${bridged.target}; ${count(bridged.changes.length, 'change')} translated`
  const indent = ' '.repeat(18)
  return [
    ...painted(look, 'bold', plain(title), '    ', '  '),
    ...(without.refusal === null
      ? fill(direct, columns, indent, '  Without bridge  ')
      : painted(look, 'red', direct, indent, '  Without bridge  ')),
    ...fill(bridged.note === null ? spoken : `${bridged.note}; ${spoken}`, columns, indent, '  With the bridge '),
    ...bridged.losses.flatMap(({ change, outcome }) =>
      outcome === 'ignore' && !all
        ? []
        : painted(
            look,
            outcome === 'refuse' ? 'red' : 'yellow',
            `${OUTCOMES[outcome]}: ${summaryOf(change, bridged.changes)}`,
            `${indent}  `,
            indent,
          ),
    ),
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
