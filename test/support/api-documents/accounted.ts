import { explained } from '../../golden/api-documents/explained.ts'
import type { Difference } from './published.ts'
import { verdictOn } from './seen-to.ts'

const sign = ({ before, after }: Difference): string => (before === undefined ? '+' : after === undefined ? '-' : '~')
const inWords = (difference: Difference): string =>
  `${sign(difference)} ${difference.operation} ${difference.part} ${difference.path}`.trim()

/** Explanations that matched a difference. */
export const used = new Set<(typeof explained)[number]>()

/** Describes a difference that the rules do not translate; undefined if they do, or if the difference is explained. */
export function openOn(difference: Difference): string | undefined {
  const verdict = verdictOn(difference)
  if (verdict === 'agrees') return undefined
  const words = inWords(difference)
  const entry = explained.find(
    ({ versions, where }) => versions.split(' ').includes(`1.${difference.minor}`) && where.test(words),
  )
  if (entry !== undefined) {
    used.add(entry)
    return undefined
  }
  return `${words}: ${typeof verdict === 'string' ? verdict : `the rules say 1.${verdict.rulesSay}`}`
}
