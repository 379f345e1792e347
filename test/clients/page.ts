import { ANNOUNCED, COLUMNS } from './engines.ts'
import { explanation } from './explained.ts'
import { NOTES, RECORDED } from './notes.ts'
import { type ClientFacts, clientList, nameOf, tableLines } from './rows.ts'
import { EXTRAS, type Extra, type Report, STEPS, type Step } from './steps.ts'

export interface EngineFacts {
  readonly name: string
  readonly release: string
  readonly lowest: string
  readonly highest: string
}

export interface Cell {
  readonly client: ClientFacts
  readonly engine: EngineFacts
  readonly report: Report
  /** The bridge had `--announce-api`: the client's version is above the engine's highest. */
  readonly announced: boolean
  readonly seconds: number
  /** Why it failed at first for no known reason, when this is the second try. */
  readonly firstTry?: string
}

export interface Red {
  readonly cell: Cell
  readonly step: Step
  readonly why: string
  readonly explained: string | undefined
}

export function reds(cells: readonly Cell[]): Red[] {
  return cells.flatMap((cell) =>
    [...STEPS, ...EXTRAS].flatMap((step) => {
      const outcome = cell.report[step]
      if (outcome?.kind !== 'fails') return []
      return [{ cell, step, why: outcome.why, explained: explanation(cell.engine.name, cell.client, step) }]
    }),
  )
}

export const unexplained = (cells: readonly Cell[]): Red[] =>
  reds(cells).filter(({ explained }) => explained === undefined)

/** Each client has one of its own. */
export const titleOf = (client: ClientFacts): string => `${nameOf(client)} at ${client.api ?? 'the negotiated version'}`

export const sameClient = (one: ClientFacts, other: ClientFacts): boolean => titleOf(one) === titleOf(other)

function mark({ report, announced }: Cell): string {
  const failed = STEPS.filter((step) => report[step].kind === 'fails')
  const text = failed.length === 0 ? 'works' : `**fails**: ${failed.join(', ')}`
  return announced ? `${text} ᵃ` : text
}

function rows(cells: readonly Cell[], clients: readonly ClientFacts[], engines: readonly EngineFacts[]): string[] {
  return tableLines(
    clients.map((client) => {
      const columns = engines.map((engine) => {
        const cell = cells.find((one) => sameClient(one.client, client) && one.engine.name === engine.name)
        return cell === undefined ? (engine.name.endsWith('recorded') ? '–' : 'not run') : mark(cell)
      })
      return { client, columns }
    }),
  )
}

/** A row for each command that only some clients have. */
function furtherRows(
  cells: readonly Cell[],
  clients: readonly ClientFacts[],
  engines: readonly EngineFacts[],
): string[] {
  const outcomeOf = (client: ClientFacts, extra: Extra, engine: EngineFacts) =>
    cells.find((one) => sameClient(one.client, client) && one.engine.name === engine.name)?.report[extra]
  const all = clients.flatMap((client) =>
    EXTRAS.flatMap((extra) => {
      const outcomes = engines.map((engine) => outcomeOf(client, extra, engine))
      if (!outcomes.some((outcome) => outcome !== undefined && outcome.kind !== 'none')) return []
      const columns = outcomes.map((outcome) => (outcome === undefined ? '–' : FURTHER[outcome.kind]))
      return [{ client, columns: [extra, ...columns] }]
    }),
  )
  return tableLines(all)
}

const FURTHER = { works: 'works', fails: '**fails**', none: '–' } as const

function without(cells: readonly Cell[]): string[] {
  const found = cells.flatMap(({ client, report }) =>
    STEPS.filter((step) => report[step].kind === 'none').map((step) => `${client.product} ${client.release}: ${step}`),
  )
  return [...new Set(found)]
}

export interface RunFacts {
  /** Clients that could not be had, with the reason. */
  readonly skipped: readonly string[]
  /** Of how many revisions of the program the cells are. */
  readonly revisions: number
  /** The commit that the page was written at. */
  readonly commit: string
}

/** docs/clients.md, from what a run gave. */
export function page(
  cells: readonly Cell[],
  clients: readonly ClientFacts[],
  { skipped, revisions, commit }: RunFacts,
): string {
  const engines = COLUMNS.flatMap((name) => cells.find(({ engine }) => engine.name === name)?.engine ?? [])
  const heads = engines.map(({ name, release }) => (name.includes(release) ? name : `${name} (${release})`))
  const red = reds(cells)
  return [
    '# Clients and engines',
    '',
    'Written by `npm run clients` from a run with real clients, the bridge, and real engines. Each client does, in this order:',
    `${STEPS.join(', ')}; and looks at what it gets. "works" means every one of these.`,
    '',
    `| client | API | ${heads.join(' | ')} |`,
    `|---|---|${engines.map(() => '---|').join('')}`,
    `| *the engine itself speaks* | | ${engines.map(({ lowest, highest }) => `${lowest} – ${highest}`).join(' | ')} |`,
    ...rows(cells, clients, engines),
    '',
    `ᵃ The client speaks a newer version than the engine: the bridge runs with \`--announce-api ${ANNOUNCED}\`.`,
    '',
    '## Commands that only some clients have',
    '',
    'Judged by what they print or return, such as the counts of `system df`; `–`: not at this version.',
    '',
    `| client | API | command | ${heads.join(' | ')} |`,
    `|---|---|---|${engines.map(() => '---|').join('')}`,
    ...furtherRows(cells, clients, engines),
    '',
    ...RECORDED,
    '',
    `Commands that a client does not have and that were left out: ${without(cells).join('; ') || 'none'}.`,
    '',
    `${cells.length} cells, ${revisions > 1 ? `of ${revisions} revisions: the run was made in portions, while the program changed, and ended` : 'made'} at commit ${commit}. A cell that fails for no known reason is tried once more; so were, and then worked:`,
    '',
    ...triedAgain(cells),
    '',
    '## Red cells',
    '',
    ...(red.length === 0 ? ['None.'] : redLines(red)),
    '',
    ...(skipped.length === 0 ? [] : ['## Not run', '', ...skipped.map((line) => `- ${line}`), '']),
    ...NOTES,
    '',
  ].join('\n')
}

/** Those that the second try made right; the others are red. */
function triedAgain(cells: readonly Cell[]): string[] {
  const lines = cells.flatMap((cell) =>
    cell.firstTry === undefined || reds([cell]).length > 0
      ? []
      : [`- ${titleOf(cell.client)} on ${cell.engine.name}: ${shown(cell.firstTry)}`],
  )
  return lines.length === 0 ? ['- none in this run'] : lines
}

/** One line for each reason, with the cells that it makes red. */
export function redLines(red: readonly Red[]): string[] {
  const reasons = Map.groupBy(red, ({ explained, why }) => explained ?? `not explained yet: ${shown(why)}`)
  return [...reasons].map(([reason, cells]) => {
    const failed = [...Map.groupBy(cells, ({ cell }) => cell)].map(([cell, steps]) => ({
      client: cell.client,
      what: `${steps.length === STEPS.length ? 'everything' : steps.map(({ step }) => step).join(', ')} on ${cell.engine.name}`,
    }))
    const places = [...Map.groupBy(failed, ({ what }) => what)].map(
      ([what, same]) => `${what} (${clientList(same.map(({ client }) => client))})`,
    )
    return `- ${reason}. Red: ${places.join('; ')}.`
  })
}

const shown = (why: string): string => `\`${why.replaceAll(/\s+/g, ' ').slice(0, 200).replaceAll('`', "'")}\``
