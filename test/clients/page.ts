import { ANNOUNCED, COLUMNS } from './engines.ts'
import { explanation } from './explained.ts'
import { type ClientFacts, clientList, nameOf, tableLines } from './rows.ts'
import { EXTRAS, type Report, STEPS, type Step } from './steps.ts'

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

/** A line for each command that only some clients have, with those that it works for on some engine. */
function furtherLines(cells: readonly Cell[], clients: readonly ClientFacts[]): string[] {
  return EXTRAS.map((extra) => {
    const works = clients.filter((client) =>
      cells.some((cell) => sameClient(cell.client, client) && cell.report[extra]?.kind === 'works'),
    )
    return `- \`${extra}\`: ${clientList(works)}.`
  })
}

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

const [BEGIN, END] = ['<!-- The run begins: written by `npm run clients`. -->', '<!-- The run ends. -->']

/** docs/clients.md with the lines of this run in place of the last one's. */
export function withRun(page: string, lines: readonly string[]): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error(`docs/clients.md has no lines ${BEGIN} and ${END}`)
  return `${page.slice(0, begin)}${[BEGIN, '', ...lines, ''].join('\n')}\n${page.slice(end)}`
}

/** What a run gave. */
export function runLines(
  cells: readonly Cell[],
  clients: readonly ClientFacts[],
  { skipped, revisions, commit }: RunFacts,
): string[] {
  const engines = COLUMNS.flatMap((name) => cells.find(({ engine }) => engine.name === name)?.engine ?? [])
  const heads = engines.map(({ name, release }) => (name.includes(release) ? name : `${name} (${release})`))
  const red = reds(cells)
  const portions = revisions > 1 ? ` of ${revisions} revisions (the run was made in portions), the last` : ''
  return [
    `Each client does, in this order: ${STEPS.join(', ')}; and looks at what it gets. "works" means every one of these.`,
    '',
    `| client | API | ${heads.join(' | ')} |`,
    `|---|---|${engines.map(() => '---|').join('')}`,
    `| *the engine itself speaks* | | ${engines.map(({ lowest, highest }) => `${lowest} – ${highest}`).join(' | ')} |`,
    ...rows(cells, clients, engines),
    '',
    `ᵃ The client speaks a newer version than the engine: the bridge runs with \`--announce-api ${ANNOUNCED}\`.`,
    '',
    'Commands that only some clients have were run on the installed engines, at versions that have them, and judged by what they',
    'print or return, such as the counts of `system df`. They work, but for the red cells:',
    '',
    ...furtherLines(cells, clients),
    '',
    `Left out, since the client has no such command: ${without(cells).join('; ') || 'none'}. ${cells.length} cells${portions} at commit ${commit}. A cell that fails for no known reason is tried once more; so were, and then worked:`,
    '',
    ...triedAgain(cells),
    '',
    '## Red cells',
    '',
    ...(red.length === 0 ? ['None.'] : redLines(red)),
    ...(skipped.length === 0 ? [] : ['', '## Not run', '', ...skipped.map((line) => `- ${line}`)]),
  ]
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
function redLines(red: readonly Red[]): string[] {
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
