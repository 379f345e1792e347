import type { OperationName } from '../../src/api/operations.ts'
import type { Finding } from './golden-compare.ts'

/** A difference that is right and cannot be otherwise. */
export interface Explained {
  readonly operation: OperationName
  /** Members, as a finding names them: `HostConfig.PidsLimit`, `[].Ports[].IP`, `Labels{}`. */
  readonly paths: readonly string[]
  readonly problem: 'missing' | 'new' | RegExp
  /** Client versions; each must show it. */
  readonly clients: readonly string[]
  /** Engines; each must show it. */
  readonly engines: readonly string[]
  readonly why: string
}

export function explains(entry: Explained, finding: Finding): boolean {
  const { problem } = entry
  return (
    entry.operation === finding.operation &&
    entry.paths.includes(finding.path) &&
    (typeof problem === 'string' ? problem === finding.problem : problem.test(finding.problem)) &&
    entry.clients.includes(finding.client) &&
    entry.engines.includes(finding.engine)
  )
}

/** The parts of an entry that no finding shows any more: it must be narrowed or taken out. */
export function unused(entry: Explained, findings: readonly Finding[]): string[] {
  const shown = findings.filter((finding) => explains(entry, finding))
  const parts: [string, readonly string[], (finding: Finding) => string][] = [
    ['path', entry.paths, ({ path }) => path],
    ['client', entry.clients, ({ client }) => client],
    ['engine', entry.engines, ({ engine }) => engine],
  ]
  return parts.flatMap(([what, named, of]) =>
    named
      .filter((name) => !shown.some((finding) => of(finding) === name))
      .map((name) => `${entry.operation} ${entry.paths.join()}: ${what} ${name}`),
  )
}
