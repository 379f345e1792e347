/** All problems of a configuration. */
export class BadConfig extends Error {
  override readonly name = 'BadConfig'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}
