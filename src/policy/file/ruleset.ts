import { type OperationName, operationsLike } from '../../api/operations.ts'
import { hasBodyRules, judgeRequest } from '../bodies/bodies.ts'
import type { Outgoing } from '../guard.ts'
import { type Read, readOutgoing } from '../outgoing.ts'
import { presets } from './presets.ts'
import { type Bodies, pathPattern, type Ruleset, resolveBodies } from './rules.ts'
import { type Decided, decideBySections } from './sections.ts'

const LONGEST_PATH = 4096

export interface Verdict extends Decided {
  readonly reason: string
}

/** The compiled rules of a listener. */
export class CompiledRules {
  readonly #endpoints = new Map<OperationName, Decided>()
  readonly #paths: [method: string, path: RegExp][] = []
  readonly #bodies: Bodies

  constructor({ preset, sections, allow = [], deny = [], paths = {}, bodies }: Ruleset) {
    const base = preset === undefined ? undefined : presets[preset]
    const decide = (names: readonly OperationName[], decided: Decided): void => {
      for (const name of names) this.#endpoints.set(name, decided)
    }
    if (sections !== undefined) for (const [name, decided] of decideBySections(sections)) decide([name], decided)
    decide(base?.allows ?? [], { allowed: true, rule: `preset ${preset}` })
    for (const pattern of allow) decide(operationsLike(pattern), { allowed: true, rule: `allow ${pattern}` })
    // Last, and checked before paths: deny always wins.
    for (const pattern of deny) decide(operationsLike(pattern), { allowed: false, rule: `deny ${pattern}` })
    for (const [method, patterns] of Object.entries(paths))
      for (const pattern of patterns) this.#paths.push([method.toUpperCase(), pathPattern(pattern)])
    this.#bodies = resolveBodies(bodies, base?.bodies ?? 'none')
  }

  readsBody(operation: OperationName): boolean {
    return this.#bodies.size > 0 && hasBodyRules(operation)
  }

  judge(outgoing: Outgoing): Verdict {
    const request = readOutgoing(outgoing)
    if (request === undefined) return { allowed: false, rule: 'path', reason: 'engines do not route this path' }
    const operation = request.match?.operation.name
    if (operation === undefined)
      return { allowed: false, rule: 'unknown endpoint', reason: `${request.method} ${request.path} is not known` }
    const endpoint = this.#endpoint(operation, request)
    const what = `${operation} (${request.method} ${request.path})`
    if (!endpoint.allowed) return { ...endpoint, reason: `${what} is not allowed` }
    // Docker has no such parameter; Podman's answer then contains the secret itself (compat/secrets.go).
    if (operation === 'SecretInspect' && request.query.has('showsecret'))
      return { allowed: false, rule: 'showsecret', reason: `${what} asks for the secret's content` }
    const violation = judgeRequest(this.#bodies, request)
    if (violation === undefined) return { ...endpoint, reason: `${what} is allowed` }
    return { allowed: false, rule: violation.rule, reason: `${operation}: ${violation.message}` }
  }

  #endpoint(operation: OperationName, request: Read): Decided {
    const decided = this.#endpoints.get(operation)
    if (decided?.allowed === true || decided?.rule.startsWith('deny ') === true) return decided
    // Patterns are not tried on longer paths: an administrator's regular expression could take forever.
    const found = this.#paths.find(
      ([method, path]) =>
        method === request.method &&
        request.wholePath.length <= LONGEST_PATH &&
        (path.test(request.wholePath) || path.test(request.path)),
    )
    if (found !== undefined) return { allowed: true, rule: `path ${found[1].source}` }
    return decided ?? { allowed: false, rule: 'not listed' }
  }
}
