import type { CellOperation, Scenario } from './catalogue.ts'
import type { Finding } from './cells.ts'

/** The findings that an explanation covers: each member must match, and each of its parts must match some finding. */
export interface Place {
  readonly against: 'recorded' | 'own'
  /** Calls of the catalogue, by the number that their names begin with. */
  readonly calls?: string
  /** Every call of these operations. */
  readonly operations?: readonly CellOperation[]
  /** `status`, `type`, `text`, or members of the body; by default every difference of the call. */
  readonly paths?: readonly string[]
  /** Matches the text of the difference. */
  readonly problem?: RegExp
  /** Client versions; by default all of the scenario. */
  readonly clients?: readonly string[]
  /** Ways, as the page names them; by default all. */
  readonly ways?: readonly string[]
  /** The difference shows in some runs only: it may be missing. */
  readonly chance?: true
}

/** A difference that is correct or cannot be avoided. */
export interface Explained {
  readonly why: string
  readonly scenario: Scenario
  readonly at: readonly Place[]
}

const numbersOf = new WeakMap<Place, ReadonlySet<string>>()

function numbers(place: Place): ReadonlySet<string> {
  const known = numbersOf.get(place) ?? new Set(place.calls?.split(' '))
  numbersOf.set(place, known)
  return known
}

const numberOf = ({ call }: Finding): string => call.slice(0, 3)

const shows = (place: Place, finding: Finding): boolean =>
  place.against === finding.against &&
  (place.calls === undefined || numbers(place).has(numberOf(finding))) &&
  (place.operations === undefined || place.operations.includes(finding.operation)) &&
  (place.paths === undefined || place.paths.includes(finding.path)) &&
  (place.problem === undefined || place.problem.test(finding.problem)) &&
  (place.clients === undefined || place.clients.includes(finding.client)) &&
  (place.ways === undefined || place.ways.includes(finding.way))

export const explains = ({ scenario, at }: Explained, finding: Finding): boolean =>
  scenario === finding.scenario && at.some((place) => shows(place, finding))

/** The parts of an explanation that match no finding any more: it must be narrowed or removed. */
export function unused(entry: Explained, findings: readonly Finding[]): string[] {
  const own = findings.filter(({ scenario }) => scenario === entry.scenario)
  return entry.at.flatMap((place) => unusedParts(place, own)).map((part) => `${entry.why}: ${part}`)
}

function unusedParts(place: Place, findings: readonly Finding[]): string[] {
  if (place.chance === true) return []
  const shown = findings.filter((finding) => shows(place, finding))
  const parts: [string, readonly string[], (part: string, finding: Finding) => boolean][] = [
    ['call', [...numbers(place)], (part, finding) => numberOf(finding) === part],
    ['operation', place.operations ?? [], (part, { operation }) => operation === part],
    ['path', place.paths ?? [], (part, { path }) => path === part],
    ['client', place.clients ?? [], (part, { client }) => client === part],
    ['way', place.ways ?? [], (part, { way }) => way === part],
  ]
  if (shown.length === 0)
    return [`${place.calls ?? place.operations?.join(' ')} ${place.paths ?? ''} ${place.problem ?? ''}`]
  return parts.flatMap(([what, named, is]) =>
    named.filter((part) => !shown.some((finding) => is(part, finding))).map((part) => `${what} ${part}`),
  )
}
