import { isObject, type JsonValue } from '../../src/api/json/json.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { editFilters, readFilters } from '../../src/translate/ops/calls/filter-values.ts'

/** `filter=X` becomes the filter reference, unless that is there already. */
export function nameAsReference({ query }: RequestMessage): void {
  const name = query.get('filter')
  query.delete('filter')
  if (name === null || name === '') return
  editFilters(query, (filters) => {
    if (!filters.has('reference')) filters.set('reference', [name])
  })
}

/** One reference is what `filter` says; several are looked for in the answer. */
export function referenceAsName({ query }: RequestMessage, context: StepContext, { id, version }: BoundChange): void {
  const references = readFilters(query).get('reference')
  if (references === undefined) return
  editFilters(query, (filters) => filters.delete('reference'))
  const [first] = references
  if (references.length === 1 && first !== undefined) query.set('filter', first)
  else if (references.some((pattern) => /[[\\]/.test(pattern)))
    context.lose({ what: 'filter reference with a set of characters', needs: version, change: id, onLoss: 'refuse' })
}

/** `*` and `?` of Go's path.Match, neither of which is a slash. No backtracking beyond the last star. */
function matches(pattern: string, text: string): boolean {
  let p = 0
  let t = 0
  let star = -1
  let resume = 0
  while (t < text.length) {
    const wanted = pattern[p]
    if (wanted === '*') {
      star = p++
      resume = t
    } else if (wanted === text[t] || (wanted === '?' && text[t] !== '/')) {
      p++
      t++
    } else if (star !== -1 && text[resume] !== '/') {
      p = star + 1
      t = ++resume
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}

/** By its whole reference or by its name alone (reference.FamiliarMatch). */
const isNamed = (reference: JsonValue, patterns: readonly string[]): boolean => {
  if (typeof reference !== 'string') return false
  const name = (reference.split('@', 1)[0] ?? '').replace(/:[^/:]*$/, '')
  return patterns.some((pattern) => matches(pattern, reference) || matches(pattern, name))
}

/** Keeps the names that match, and the images that have one. `call.query` is the client's own. */
export function byReference(message: ResponseMessage, { call }: StepContext): void {
  const patterns = readFilters(call.query).get('reference') ?? []
  if (patterns.length < 2 || !Array.isArray(message.body)) return
  message.body = message.body.filter((image) => {
    if (!isObject(image)) return true
    let found = false
    for (const member of ['RepoTags', 'RepoDigests']) {
      const names = image[member]
      if (!Array.isArray(names)) continue
      const kept = names.filter((name) => isNamed(name, patterns))
      image[member] = kept
      found ||= kept.length > 0
    }
    return found
  })
}
