import type { OperationName } from '../../api/operations.ts'
import { hasBodyRules, judgeRequest } from '../bodies/bodies.ts'
import type { Outgoing } from '../guard.ts'
import { type Read, readOutgoing } from '../outgoing.ts'
import { presets } from './presets.ts'
import { type Bodies, operationsLike, pathPattern, type Ruleset, resolveBodies } from './rules.ts'
import { type Decided, decideBySections } from './sections.ts'

const LONGEST_PATH = 4096

export interface Verdict {
  readonly allowed: boolean
  /** The deciding rule: `preset traefik`, `POST=0`, `deny ContainerKill`, `bodies.privileged`. */
  readonly rule: string
  readonly reason: string
}

/** The compiled rules of a listener. */
export class CompiledRules {
  readonly #endpoints = new Map<string, Decided>()
  readonly #paths: ReadonlyMap<string, readonly RegExp[]>
  readonly #bodies: Bodies

  constructor({ preset, sections, allow = [], deny = [], paths = {}, bodies }: Ruleset) {
    const base = preset === undefined ? undefined : presets[preset]
    if (sections !== undefined)
      for (const [name, decided] of decideBySections(sections)) this.#endpoints.set(name, decided)
    for (const name of base?.allows ?? []) this.#endpoints.set(name, { allowed: true, rule: `preset ${preset}` })
    for (const pattern of allow)
      for (const name of operationsLike(pattern)) this.#endpoints.set(name, { allowed: true, rule: `allow ${pattern}` })
    this.#paths = compilePaths(paths)
    // Last, and checked before paths: deny always wins.
    for (const pattern of deny)
      for (const name of operationsLike(pattern)) this.#endpoints.set(name, { allowed: false, rule: `deny ${pattern}` })
    this.#bodies = resolveBodies(bodies, base?.bodies ?? 'none')
  }

  readsBody(operation: OperationName): boolean {
    return this.#bodies.size > 0 && hasBodyRules(operation)
  }

  judge(outgoing: Outgoing): Verdict {
    const request = readOutgoing(outgoing)
    if (request === undefined) return { allowed: false, rule: 'path', reason: 'the path is not one that engines route' }
    const operation = request.match?.operation.name
    if (operation === undefined)
      return { allowed: false, rule: 'unknown endpoint', reason: `${request.method} ${request.path} is not known` }
    const endpoint = this.#endpoint(operation, request)
    const what = `${operation} (${request.method} ${request.path})`
    if (!endpoint.allowed) return { ...endpoint, reason: `${what} is not allowed` }
    const violation = judgeRequest(this.#bodies, request)
    if (violation === undefined) return { ...endpoint, reason: `${what} is allowed` }
    return { allowed: false, rule: violation.rule, reason: `${operation}: ${violation.message}` }
  }

  #endpoint(operation: OperationName, request: Read): Decided {
    const decided = this.#endpoints.get(operation)
    if (decided?.allowed === true || decided?.rule.startsWith('deny ') === true) return decided
    // Patterns are not tried on longer paths: an administrator's regular expression could take forever.
    const patterns = request.wholePath.length > LONGEST_PATH ? [] : (this.#paths.get(request.method) ?? [])
    for (const pattern of patterns)
      if (pattern.test(request.wholePath) || pattern.test(request.path))
        return { allowed: true, rule: `path ${pattern.source}` }
    return decided ?? { allowed: false, rule: 'not listed' }
  }
}

const compilePaths = (paths: NonNullable<Ruleset['paths']>): Map<string, RegExp[]> =>
  new Map(Object.entries(paths).map(([method, patterns]) => [method.toUpperCase(), patterns.map(pathPattern)]))
