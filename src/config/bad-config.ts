import { messageOf } from './text.ts'

/** All problems of a configuration. */
export class BadConfig extends Error {
  override readonly name = 'BadConfig'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Every problem of a configuration, or the one that something else names. */
export const problemsOf = (cause: unknown): readonly string[] =>
  cause instanceof BadConfig ? cause.problems : [messageOf(cause)]
