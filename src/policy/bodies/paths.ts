import { messageOf } from '../../config/text.ts'
/**
 * Compiles a pattern for whole paths in the form of wollomatic/socket-proxy, adding `^` and `$`. Throws if it is
 * invalid.
 */
export function pathPattern(pattern: string): RegExp {
  new RegExp(pattern) // first without the anchors: `a)|(b` would be valid only inside them
  return new RegExp(`^(?:${pattern.replace(/^\^/, '').replace(/(?<!\\)\$$/, '')})$`)
}

export function pathProblem(pattern: string): string | undefined {
  try {
    pathPattern(pattern)
    return undefined
  } catch (cause) {
    return `"${pattern}" is no pattern for paths: ${messageOf(cause)}`
  }
}
