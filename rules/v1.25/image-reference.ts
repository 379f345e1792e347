import { isObject, type JsonValue } from '../../src/api/json/json.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { editFilters, readFilters } from '../../src/translate/ops/calls/filter-values.ts'

/** A single reference becomes `filter`; `byReference` applies several to the answer. */
export function referenceAsName({ query }: RequestMessage, context: StepContext, { id, version }: BoundChange): void {
  const references = readFilters(query).get('reference')
  if (references === undefined) return
  editFilters(query, (filters) => filters.delete('reference'))
  const [first] = references
  if (references.length === 1 && first !== undefined) query.set('filter', first)
  else if (references.some((pattern) => /[[\\]/.test(pattern)))
    context.lose({ what: 'filter reference with a set of characters', needs: version, change: id, onLoss: 'refuse' })
}

/** `*` and `?` as in Go's path.Match: neither matches a slash. Backtracks only to the last star. */
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

/** Whether a pattern matches the whole reference or its name (reference.FamiliarMatch). */
const isNamed = (reference: JsonValue, patterns: readonly string[]): boolean => {
  if (typeof reference !== 'string') return false
  const name = (reference.split('@', 1)[0] ?? '').replace(/:[^/:]*$/, '')
  return patterns.some((pattern) => matches(pattern, reference) || matches(pattern, name))
}

/** Keeps matching names, and images that have one. */
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
