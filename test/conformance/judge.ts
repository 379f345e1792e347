import { scenarioOf } from './catalogue.ts'
import { type Cell, cellsOf, type Finding, findingsOf, type Heard } from './cells.ts'
import { type Explained, explains, type Place, unused } from './explain.ts'
import { explained } from './explained.ts'
import { baseOf, isSameWay, type Way, wayName } from './support/ways.ts'

export interface Judgement {
  readonly cells: readonly Cell[]
  readonly explained: readonly Explained[]
  /** A line for each thing that is wrong. */
  readonly wrong: readonly string[]
  /** Explanations, or parts of them, that nothing shows any more. */
  readonly stale: readonly string[]
}

/**
 * What was heard: a whole run tells which part of an explanation is used no more, the selection of CI shows every
 * explanation that its ways can show at least once, and of a part of the ways nothing follows.
 */
export type Reach = 'whole' | 'selection' | 'part'

export function judge(heard: readonly Heard[], reach: Reach): Judgement {
  const findings: Finding[] = heard.flatMap((one) => findingsOf(one, baseHeard(heard, one)))
  const cells = cellsOf(heard, findings, explained)
  return {
    cells,
    explained,
    wrong: linesOf(cells),
    stale: staleIn(reach, findings, heard),
  }
}

function staleIn(reach: Reach, findings: readonly Finding[], heard: readonly Heard[]): string[] {
  switch (reach) {
    case 'whole':
      return explained.flatMap((entry) => unused(entry, findings))
    case 'selection':
      return explained
        .filter((entry) => entry.at.some((place) => heard.some(({ way }) => canShow(entry, place, way))))
        .filter((entry) => !findings.some((finding) => explains(entry, finding)))
        .map(({ why }) => why)
    case 'part':
      return []
    default:
      return reach satisfies never
  }
}

/** Whether a way may show the explanation at this place. */
const canShow = ({ scenario }: Explained, { chance, ways, clients }: Place, way: Way): boolean =>
  chance !== true &&
  scenario === scenarioOf(way.client) &&
  (ways?.includes(wayName(way)) ?? true) &&
  (clients?.includes(way.client) ?? true)

function baseHeard(heard: readonly Heard[], { way }: Heard): Heard {
  const base = baseOf(way)
  const found = heard.find((other) => isSameWay(other.way, base))
  if (found === undefined)
    throw new Error(`nothing was heard of ${way.client} on ${wayName(base)}, which is the measure`)
  return found
}

/** The same difference on several ways and of several clients is one line. */
function linesOf(cells: readonly Cell[]): string[] {
  const all = cells.flatMap(({ wrong }) => wrong)
  const grouped = Map.groupBy(all, ({ call, path, problem, against }) => `${call} ${path}: ${problem} [${against}]`)
  return [...grouped].map(([what, findings]) => {
    const clients = Map.groupBy(findings, ({ way }) => way)
    const where = [...clients].map(([way, of]) => `${way} (${of.map(({ client }) => client).join(' ')})`)
    return `wrong: ${what} ${findings[0]?.operation} on ${where.join(', ')}`
  })
}
