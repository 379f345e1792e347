import type { CellOperation } from './catalogue.ts'
import type { Finding } from './cells.ts'

/** A difference that is right or cannot be otherwise. */
export interface Explained {
  /** Calls of the catalogue, by the number that their names begin with; each must show it. */
  readonly calls?: string
  /** Or every call of these operations. */
  readonly operations?: readonly CellOperation[]
  /** `status`, `type`, `text`, or members of the body; without it every difference of the call. */
  readonly paths?: readonly string[]
  readonly against: 'recorded' | 'own'
  /** What is said of it. */
  readonly problem?: RegExp
  /** Client versions; without it any. */
  readonly clients?: readonly string[]
  /** Ways, as the page names them; without it any. */
  readonly ways?: readonly string[]
  readonly why: string
}

const numbersOf = new WeakMap<Explained, ReadonlySet<string>>()

function numbers(entry: Explained): ReadonlySet<string> {
  const known = numbersOf.get(entry) ?? new Set(entry.calls?.split(' '))
  numbersOf.set(entry, known)
  return known
}

const numberOf = ({ call }: Finding): string => call.slice(0, 3)

export const explains = (entry: Explained, finding: Finding): boolean =>
  entry.against === finding.against &&
  (entry.calls === undefined || numbers(entry).has(numberOf(finding))) &&
  (entry.operations === undefined || entry.operations.includes(finding.operation)) &&
  (entry.paths === undefined || entry.paths.includes(finding.path)) &&
  (entry.problem === undefined || entry.problem.test(finding.problem)) &&
  (entry.clients === undefined || entry.clients.includes(finding.client)) &&
  (entry.ways === undefined || entry.ways.includes(finding.way))

/** The parts of an entry that no finding shows any more: it must be narrowed or taken out. */
export function unused(entry: Explained, findings: readonly Finding[]): string[] {
  const shown = findings.filter((finding) => explains(entry, finding))
  const parts: [string, readonly string[], (part: string, finding: Finding) => boolean][] = [
    ['call', [...numbers(entry)], (part, finding) => numberOf(finding) === part],
    ['operation', entry.operations ?? [], (part, { operation }) => operation === part],
    ['path', entry.paths ?? [], (part, { path }) => path === part],
    ['client', entry.clients ?? [], (part, { client }) => client === part],
    ['way', entry.ways ?? [], (part, { way }) => way === part],
  ]
  if (shown.length === 0) return [entry.why]
  return parts.flatMap(([what, named, shows]) =>
    named
      .filter((part) => !shown.some((finding) => shows(part, finding)))
      .map((part) => `${entry.why}: ${what} ${part}`),
  )
}
