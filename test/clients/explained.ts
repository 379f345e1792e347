import type { Client } from './catalogue.ts'
import type { Step } from './steps.ts'

/** Why a cell is red and no bridge could turn it green. Every red cell of docs/clients.md must be named here. */
export interface Explanation {
  readonly engine: string
  readonly applies: (client: Client) => boolean
  readonly steps: readonly Step[]
  readonly why: string
}

export const EXPLAINED: readonly Explanation[] = []

export function explanation(engine: string, client: Client, step: Step): string | undefined {
  const found = EXPLAINED.find((one) => one.engine === engine && one.steps.includes(step) && one.applies(client))
  return found?.why
}
