import type { CellOperation, Scenario } from './catalogue.ts'
import type { Finding } from './cells.ts'

/** Where a difference is shown: all that is named must hold, and each of it must show it. */
export interface Place {
  readonly against: 'recorded' | 'own'
  /** Calls of the catalogue, by the number that their names begin with. */
  readonly calls?: string
  /** Or every call of these operations. */
  readonly operations?: readonly CellOperation[]
  /** `status`, `type`, `text`, or members of the body; without it every difference of the call. */
  readonly paths?: readonly string[]
  /** Matches the text of the difference. */
  readonly problem?: RegExp
  /** Client versions; without it any of the scenario. */
  readonly clients?: readonly string[]
  /** Ways, as the page names them; without it any. */
  readonly ways?: readonly string[]
  /** Whether it is shown differs from run to run: nothing follows when it is not. */
  readonly chance?: true
}

/** A difference that is right or cannot be otherwise. */
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

/** The parts of an explanation that no finding shows any more: it must be narrowed or taken out. */
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
