import { type OperationName, operationNamed, operationNames } from '../../src/api/operations.ts'
import { formatVersion, LOWEST, NEWEST, PODMAN_VERSION } from '../../src/api/version.ts'
import { type Applied, applied, lossesOf } from '../../src/tools/explain/applies.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import { table } from './table.ts'

const OUTCOMES = { refuse: 'refused', warn: 'dropped, with a warning', ignore: 'dropped' } as const

/** A change that so many operations have is told once, for all. */
const EVERYWHERE = 40

type Row = readonly [BoundChange, readonly Applied[]]

/** docs/changes.md: every difference by operation, with its source. Not committed: it only repeats the rules. */
export function changesPage(): string {
  const operations = operationNames.map((name) => [name, rowsOf(name)] as const)
  const places = Map.groupBy(
    operations.flatMap(([, rows]) => rows),
    ([change]) => change,
  )
  const isCommon = ([change]: Row): boolean => (places.get(change)?.length ?? 0) >= EVERYWHERE
  const common = [...places.values()].flatMap((rows) => rows.slice(0, 1).filter(isCommon))
  return [
    `# What differs between API ${formatVersion(LOWEST)} and ${formatVersion(NEWEST)}`,
    '',
    'Written by `npm run docs` from the rules: by operation, oldest first; search it for a path. [compatibility.md](compatibility.md) has the terms.',
    ...section('Every operation', common),
    ...operations.flatMap(([name, rows]) => {
      const { method, path } = operationNamed(name)
      return section(
        `${method} ${path}`,
        rows.filter((row) => !isCommon(row)),
      )
    }),
    '',
  ].join('\n')
}

/** The changes of an operation: for the oldest client of the newest engine, and the other way round. */
function rowsOf(operation: OperationName): readonly Row[] {
  const older = applied(operation, { client: LOWEST, target: NEWEST, highest: NEWEST })
  const newer = applied(operation, { client: NEWEST, target: LOWEST, highest: LOWEST })
  const [client, target, highest] = [PODMAN_VERSION, PODMAN_VERSION, PODMAN_VERSION]
  const podmans = applied(operation, { client, target, highest, podman: true })
  const rows = Map.groupBy([...older, ...newer, ...podmans], ({ change }) => change)
  return [...rows].toSorted(([one], [other]) => one.version - other.version)
}

function section(title: string, rows: readonly Row[]): string[] {
  if (rows.length === 0) return []
  const cells = rows.map(([{ id, version, podman, see, change }, all]) => [
    podman ? 'Podman' : formatVersion(version),
    `${change.summary} (\`${id}\`)`,
    lossesOf(all)
      .map(({ what, outcome }) => `${what}: ${OUTCOMES[outcome]}`)
      .join('; '),
    see,
  ])
  return ['', `## ${title}`, '', table(['since', 'difference', 'if the engine lacks it', 'source'], cells)]
}
