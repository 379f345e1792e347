import { ProxyError } from '../api/errors.ts'
import type { Entry } from '../audit/entry/entry.ts'
import type { Log } from '../config/log.ts'
import { readPolicy } from './file/read-policy.ts'
import type { PolicyFile } from './file/rules.ts'
import { CompiledRules, type Verdict } from './file/ruleset.ts'
import type { AccessPolicy, Guard, Outgoing } from './guard.ts'

export type PolicyMode = 'enforce' | 'observe'

/** For a listener without rules in a file without default rules. */
const NOTHING = new CompiledRules({})

/** HTTP/2 with prior knowledge (src/proxy/local/http2.ts). */
const UNREADABLE: Verdict = {
  ...{ allowed: false, rule: 'http2' },
  reason: 'calls inside HTTP/2 cannot be judged; use HTTP/1.1',
}

/** The access policy of a bridge, by listener. */
export class Access {
  readonly #said: string
  readonly #mode: PolicyMode
  readonly #listeners: readonly string[]
  readonly #log: Pick<Log, 'info' | 'error'>
  #rules: ReadonlyMap<string, CompiledRules>

  private constructor(
    said: string,
    mode: PolicyMode,
    listeners: readonly string[],
    log: Pick<Log, 'info' | 'error'>,
    file: PolicyFile,
  ) {
    this.#said = said
    this.#mode = mode
    this.#listeners = listeners
    this.#log = log
    this.#rules = compile(file, listeners)
  }

  /** Rejects with a readable error. */
  static async open(
    said: string,
    mode: PolicyMode,
    listeners: readonly string[],
    log: Pick<Log, 'info' | 'error'>,
  ): Promise<Access> {
    return new Access(said, mode, listeners, log, await readPolicy(said, listeners))
  }

  /** Reads the file again; keeps the current rules if the new ones are invalid. */
  async reload(): Promise<void> {
    try {
      this.#rules = compile(await readPolicy(this.#said, this.#listeners), this.#listeners)
      this.#log.info({ policy: this.#said.startsWith('env:') ? 'environment' : this.#said }, 'policy reloaded')
    } catch (cause) {
      this.#log.error({ err: cause }, 'the new policy is invalid; the old one stays in use')
    }
  }

  at(listener: string): AccessPolicy {
    return (entry) => this.#guard(this.#rules.get(listener) ?? NOTHING, entry)
  }

  #guard(rules: CompiledRules, entry: Entry): Guard {
    let stands = false
    const settle = ({ allowed, rule, ...verdict }: Verdict, byBridge: boolean): void => {
      if (allowed) {
        // A denial must not be overwritten by a later allow.
        if (!stands) entry.policy = { decision: 'allowed', rule }
        return
      }
      const reason = byBridge ? `for this call the bridge needs another: ${verdict.reason}` : verdict.reason
      stands = true
      entry.policy = { decision: this.#mode === 'observe' ? 'observed' : 'denied', rule, reason }
      if (this.#mode === 'enforce') throw new ProxyError('forbidden', `policy: ${reason} (rule ${rule})`)
      this.#log.info({ auditId: entry.id, rule }, `policy would refuse: ${entry.clean(reason)}`)
    }
    return {
      readsBody: (operation) => operation !== undefined && rules.readsBody(operation),
      checkUnreadable: () => settle(UNREADABLE, false),
      check: (outgoing: Outgoing, byBridge = false) => settle(rules.judge(outgoing), byBridge),
      allows: (outgoing: Outgoing) => rules.judge(outgoing).allowed,
    }
  }
}

const compile = (file: PolicyFile, listeners: readonly string[]): Map<string, CompiledRules> =>
  new Map(listeners.map((name) => [name, new CompiledRules(file.listeners?.[name] ?? file.rules ?? {})] as const))
