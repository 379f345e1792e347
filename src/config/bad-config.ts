import { z } from 'zod'

/** All problems of a configuration. */
export class BadConfig extends Error {
  override readonly name = 'BadConfig'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'names with values',
  record: 'names with values',
  string: 'text',
}

const namesOf = (schema: unknown): string =>
  schema instanceof z.ZodObject ? `; the names are ${Object.keys(schema.shape).join(', ')}` : ''

/** Says what is wrong where a schema does not: zod's own words are for programmers. */
export function issueText(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing'
      return `must be ${KINDS[issue.expected] ?? issue.expected}`
    case 'too_small':
      return issue.minimum === 1 ? 'must not be empty' : undefined
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'unrecognized_keys':
      return `nothing here is called ${issue.keys.map((key) => JSON.stringify(key)).join(' or ')}${namesOf(issue.inst)}`
    default:
      return undefined
  }
}
