import { type KnownClient, knownClients } from '../../../rules/clients.ts'
import { BoundedMap } from '../../api/bounded-map.ts'
import { compareParts } from '../../api/version.ts'
import type { TranslationPolicy } from '../../translate/message.ts'
import type { Plans } from '../../translate/plans.ts'

/** The part of the core that differs by client. */
interface Telling {
  readonly plans: Plans
  readonly policy: TranslationPolicy
}

/** Number of User-Agents cached: clients repeat the same one in every call. */
const MAX_READ = 200
const LONGEST_READ = 300

/** A product of a User-Agent with its release (RFC 9110, 10.1.5). */
interface Product {
  readonly name: string
  readonly release: readonly number[] | undefined
}

const products = (userAgent: string): Product[] =>
  userAgent
    .replace(/\([^()]*\)/g, ' ')
    .split(/\s+/)
    .flatMap((token): Product[] => {
      const found = /^([^/]+)(?:\/v?(\d+(?:\.\d+)*))?/.exec(token)
      if (found === null) return []
      return [{ name: (found[1] ?? '').toLowerCase(), release: found[2]?.split('.').map(Number) }]
    })

const fits = ({ agent, before, from }: KnownClient, { name, release }: Product): boolean =>
  agent === name &&
  (before === undefined || (release !== undefined && compareParts(release, before) < 0)) &&
  (from === undefined || (release !== undefined && compareParts(release, from) >= 0))

/** Finds the row of rules/clients.ts for a User-Agent. */
export function knownClient(userAgent: string): KnownClient | undefined {
  const named = products(userAgent)
  return knownClients.find((client) => named.some((product) => fits(client, product)))
}

/** Caches `knownClient`. */
export class KnownClients {
  /** Cached by (announce, newerFields): copying the core takes microseconds. */
  readonly #presented = new Map<number, { readonly of: Telling; readonly as: Telling }>()
  readonly #read = new BoundedMap<string, KnownClient | undefined>(MAX_READ)

  find(userAgent: string | undefined): KnownClient | undefined {
    if (userAgent === undefined) return undefined
    if (this.#read.has(userAgent)) return this.#read.get(userAgent)
    const found = knownClient(userAgent)
    if (userAgent.length <= LONGEST_READ) this.#read.set(userAgent, found)
    return found
  }

  /** The core as presented to a client that is told this highest version, or gets members newer than its version. */
  as<C extends Telling>(core: C, changed: Pick<TranslationPolicy, 'announce' | 'newerFields'>): C {
    const { announce, newerFields } = changed
    if (announce === core.policy.announce && newerFields === core.policy.newerFields) return core
    const key = (announce ?? 0) * 2 + Number(newerFields === 'obeyed')
    const kept = this.#presented.get(key)
    if (kept?.of === core) return kept.as as C
    const as = { ...core, plans: core.plans.under(changed), policy: { ...core.policy, ...changed } }
    this.#presented.set(key, { of: core, as })
    return as
  }
}
