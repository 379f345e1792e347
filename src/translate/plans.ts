import type { OperationName } from '../api/operations.ts'
import { apiVersion, JSON_ERRORS_FROM } from '../api/version.ts'
import type { Versions } from './change.ts'
import { compile, type Plan, responsePlan } from './compile.ts'
import type { ResponseStep, TranslationPolicy } from './message.ts'
import type { Rules } from './operation-rules.ts'

const LAST_404_IN_WORDS = apiVersion(22)
const NO_STEPS = responsePlan(undefined, [])

/** The plan of a known operation, or a plan without changes. */
export type AnyPlan = Plan | Omit<Plan, 'operation'>

/** Changes only the form and wording of errors, for unknown endpoints. */
export function untouched(versions: Versions): Omit<Plan, 'operation'> {
  const older = versions.client < JSON_ERRORS_FROM
  const inForm: ResponseStep = (message) => {
    message.form = older ? 'text' : 'json'
    // Recorded up to 1.10.3; 1.12.6 has the newer wording.
    if (versions.client <= LAST_404_IN_WORDS && message.text === 'page not found') message.text = '404 page not found'
  }
  return {
    ...versions,
    changes: [],
    request: { steps: [], callsEngine: false, needsBody: false, rest: 'passed' },
    response: { ...NO_STEPS, errors: [{ run: inForm }] },
  }
}

/** Versions are below this number (api/version.ts), so three of them form a numeric key, without a string per call. */
const MAX_VERSIONS = 1000

/** Compiles each plan once. */
export class Plans {
  readonly #rules: Rules
  readonly #policy: TranslationPolicy
  readonly #compiled = new Map<OperationName, Map<number, Plan>>()

  constructor(rules: Rules, policy: TranslationPolicy) {
    this.#rules = rules
    this.#policy = policy
  }

  /** The same rules for clients that are served by other settings. */
  under(changed: Partial<TranslationPolicy>): Plans {
    return new Plans(this.#rules, { ...this.#policy, ...changed })
  }

  get(operation: OperationName, versions: Versions, mapsIds = false): Plan {
    const { client, target, highest, podman = false, unversioned = false } = versions
    const numbers = (client * MAX_VERSIONS + target) * MAX_VERSIONS + highest
    const key = numbers * 8 + Number(podman) * 4 + Number(mapsIds) * 2 + Number(unversioned)
    const known = this.#compiled.get(operation)?.get(key)
    if (known !== undefined) return known
    const plan = compile(this.#rules, operation, versions, this.#policy, mapsIds)
    this.#compiled.set(operation, (this.#compiled.get(operation) ?? new Map<number, Plan>()).set(key, plan))
    return plan
  }
}
