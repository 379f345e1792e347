/** A pattern for whole paths, as wollomatic/socket-proxy has them: `^` and `$` are added. Throws for what is none. */
export function pathPattern(pattern: string): RegExp {
  new RegExp(pattern) // by itself first: `a)|(b` would be a pattern only within what is put around it
  return new RegExp(`^(?:${pattern.replace(/^\^/, '').replace(/(?<!\\)\$$/, '')})$`)
}

/** What is wrong with a pattern; undefined where nothing is. */
export function pathProblem(pattern: string): string | undefined {
  try {
    pathPattern(pattern)
    return undefined
  } catch (cause) {
    return `"${pattern}" is no pattern for paths: ${cause instanceof Error ? cause.message : cause}`
  }
}
