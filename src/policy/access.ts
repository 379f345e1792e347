import { ProxyError } from '../api/errors.ts'
import type { Entry } from '../audit/entry/entry.ts'
import type { Log } from '../config/log.ts'
import { inTurn } from '../config/within.ts'
import { readPolicy } from './file/read-policy.ts'
import type { PolicyFile } from './file/rules.ts'
import { CompiledRules, type Verdict } from './file/ruleset.ts'
import type { AccessPolicy, Guard, Outgoing } from './guard.ts'

export type PolicyMode = 'enforce' | 'observe'

/** HTTP/2 with prior knowledge (src/proxy/local/http2.ts). */
const UNREADABLE: Verdict = {
  ...{ allowed: false, rule: 'http2' },
  reason: 'calls inside HTTP/2 cannot be judged; use HTTP/1.1',
}

interface PolicySettings {
  /** The value of `--policy`. */
  readonly source: string
  readonly mode: PolicyMode
  readonly listeners: readonly string[]
  readonly log: Pick<Log, 'info' | 'error'>
}

/** The access policy of a bridge, by listener. */
export class Access {
  readonly #settings: PolicySettings
  policy: PolicyFile = {}
  #rules: ReadonlyMap<string, CompiledRules> = new Map()

  constructor(settings: PolicySettings, policy: PolicyFile) {
    this.#settings = settings
    this.use(policy)
  }

  /** Rejects with a readable error. */
  static async open(settings: PolicySettings): Promise<Access> {
    return new Access(settings, await readPolicy(settings.source, settings.listeners))
  }

  use(policy: PolicyFile): void {
    const { rules = {}, listeners: own = {} } = policy
    this.#rules = new Map(this.#settings.listeners.map((name) => [name, new CompiledRules(own[name] ?? rules)]))
    this.policy = policy
  }

  /** Reads the file again; keeps the current rules if the new ones are invalid. */
  readonly reload = inTurn(async () => {
    const { source, listeners, log } = this.#settings
    try {
      this.use(await readPolicy(source, listeners))
      log.info({ policy: source.startsWith('env:') ? 'environment' : source }, 'policy reloaded')
    } catch (cause) {
      log.error({ err: cause }, 'the new policy is invalid; the old one stays in use')
    }
  })

  at(listener: string): AccessPolicy {
    return (entry) => this.#guard(this.#rules.get(listener) ?? new CompiledRules({}), entry)
  }

  #guard(rules: CompiledRules, entry: Entry): Guard {
    const { mode, log } = this.#settings
    let denied = false
    const settle = ({ allowed, rule, ...verdict }: Verdict, byBridge: boolean): void => {
      if (allowed) {
        // A denial must not be overwritten by a later allow.
        if (!denied) entry.policy = { decision: 'allowed', rule }
        return
      }
      const reason = byBridge ? `the bridge needs a further call for this one: ${verdict.reason}` : verdict.reason
      denied = true
      entry.policy = { decision: mode === 'observe' ? 'observed' : 'denied', rule, reason }
      if (mode === 'enforce') throw new ProxyError('forbidden', `policy: ${reason} (rule ${rule})`)
      log.info({ auditId: entry.id, rule }, `policy would refuse: ${entry.clean(reason)}`)
    }
    return {
      readsBody: (operation) => operation !== undefined && rules.readsBody(operation),
      checkUnreadable: () => settle(UNREADABLE, false),
      check: (outgoing: Outgoing, byBridge = false) => settle(rules.judge(outgoing), byBridge),
      allows: (outgoing: Outgoing) => rules.judge(outgoing).allowed,
    }
  }
}
