/**
 * What one published API document says, in scopes: `#HostConfig` a definition, `ContainerCreate request` (`response`,
 * `query`, `header`, `status`) what it says of an operation. A scope has facts by path, as in `Place`
 * (src/api/shapes/shape.ts): `[]` every element, `{}` every value. A fact is a type (string, int, number, bool, array, map,
 * object; `?` may be null, `!` must be there), or the definition that stands there.
 */
export type Document = Map<string, Map<string, string>>

/** Scopes over versions: a fact that does not hold as long as its scope does says when: `map 1.43-1.52`. */
export type History = Record<string, Record<string, string>>

export const documentVersions = { markdown: [18, 24], swagger: [25, 55] } as const

const range = (from: number, to: number): string => (from === to ? `1.${from}` : `1.${from}-1.${to}`)

/** Which minor versions, in order, as ranges without gaps. */
function ranges(minors: readonly number[]): [number, number][] {
  const found: [number, number][] = []
  for (const minor of minors) {
    const last = found.at(-1)
    if (last?.[1] === minor - 1) last[1] = minor
    else found.push([minor, minor])
  }
  return found
}

const written = (minors: readonly number[]): string =>
  ranges(minors)
    .map(([from, to]) => range(from, to))
    .join(' ')

/** `life` is the member of a scope that says in which versions there is one. */
const LIFE = '@'

export function historyOf(documents: ReadonlyMap<number, Document>): History {
  const history: History = {}
  const scopes = [...new Set([...documents.values()].flatMap((document) => [...document.keys()]))].sort()
  for (const scope of scopes) {
    const inVersions = [...documents].filter(([, document]) => document.has(scope))
    const life = written(inVersions.map(([minor]) => minor))
    const facts = new Map<string, Map<string, number[]>>()
    for (const [minor, document] of inVersions)
      for (const [path, fact] of document.get(scope) ?? []) {
        const byFact = facts.get(path) ?? new Map<string, number[]>()
        facts.set(path, byFact.set(fact, [...(byFact.get(fact) ?? []), minor]))
      }
    const lines = [...facts].map(([path, byFact]): [string, string] => {
      const said = [...byFact].map(([fact, minors]) => [fact, written(minors)] as const)
      return [path, said.map(([fact, when]) => (when === life ? fact : `${fact} ${when}`)).join(', ')]
    })
    history[scope] = { [LIFE]: life, ...Object.fromEntries(lines) }
  }
  return history
}

const within = (when: readonly string[], minor: number): boolean =>
  when.some((one) => {
    const [from = 0, to = from] = one.split('-').map((version) => Number(version.slice('1.'.length)))
    return from <= minor && minor <= to
  })

/** The document of one version again. */
export function documentOf(history: History, minor: number): Document {
  const document: Document = new Map()
  for (const [scope, { [LIFE]: life = '', ...facts }] of Object.entries(history)) {
    if (!within(life.split(' '), minor)) continue
    const own = new Map<string, string>()
    for (const [path, said] of Object.entries(facts))
      for (const part of said.split(', ')) {
        const [fact = '', ...when] = part.split(' ')
        if (when.length === 0 || within(when, minor)) own.set(path, fact)
      }
    document.set(scope, own)
  }
  return document
}
