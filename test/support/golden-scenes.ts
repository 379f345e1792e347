import type { OperationName } from '../../src/api/operations.ts'

/**
 * The same request to an old engine and to a modern one, by the names of the recorded exchanges. The two archives ask about
 * containers of their own, so `old` may name several exchanges to show which members are left out when empty.
 */
export interface Scene {
  readonly name: string
  readonly operation: OperationName
  readonly old: readonly string[]
  readonly modern: readonly string[]
  /** Further old answers that show optional members, but not which members are required. */
  readonly also?: readonly string[]
  /** The first version that has the request. */
  readonly since?: number
}

export const scenes: readonly Scene[] = [
  { name: 'version', operation: 'SystemVersion', old: ['003-version'], modern: ['003-version'] },
  { name: 'info', operation: 'SystemInfo', old: ['004-info'], modern: ['004-info'] },
  {
    name: 'container list',
    operation: 'ContainerList',
    old: ['354-list-all', '542-list-pub', '614-list-net'],
    modern: ['099-list-limit', '203-list-paused', '214-list-exited'],
  },
  {
    name: 'container list with sizes',
    operation: 'ContainerList',
    old: ['355-list-all-size'],
    also: ['542-list-pub', '614-list-net'],
    modern: ['098-list-all-size'],
  },
  {
    name: 'container inspect, created',
    operation: 'ContainerInspect',
    old: ['305-inspect-min', '306-inspect-str'],
    modern: ['108-inspect-strcmd'],
  },
  {
    name: 'container inspect, started',
    operation: 'ContainerInspect',
    old: ['348-inspect-running', '337-inspect-big-started', '340-inspect-leg-started', '317-inspect-exited'],
    modern: [
      '106-inspect-full',
      '107-inspect-nohc',
      '109-inspect-mac',
      '192-inspect-two-networks',
      '213-inspect-exited',
    ],
  },
  {
    name: 'container inspect with sizes',
    operation: 'ContainerInspect',
    old: ['349-inspect-running-size', '313-inspect-size'],
    modern: ['105-inspect-size'],
  },
  {
    name: 'exec inspect',
    operation: 'ExecInspect',
    old: ['410-exec-inspect-new', '412-exec-inspect-done'],
    modern: ['131-exec-inspect-before', '133-exec-inspect-after'],
  },
  {
    name: 'image list',
    operation: 'ImageList',
    old: ['050-images-list', '052-images-list-all'],
    modern: ['005-images', '016-images-all-digests', '165-images-after'],
  },
  {
    name: 'image inspect',
    operation: 'ImageInspect',
    old: ['060-image-inspect', '119-image-inspect-built', '494-image-inspect-committed'],
    modern: ['021-image-inspect', '166-image-inspect-committed'],
  },
  {
    name: 'image history',
    operation: 'ImageHistory',
    old: ['068-image-history', '495-image-history-committed'],
    modern: ['022-image-history', '167-image-history-committed'],
  },
  { name: 'image delete', operation: 'ImageDelete', old: ['661-image-delete-built'], modern: ['171-image-delete'] },
  { name: 'commit', operation: 'ImageCommit', old: ['488-commit'], modern: ['158-commit'] },
  {
    name: 'container create',
    operation: 'ContainerCreate',
    old: ['121-create-minimal', '123-create-big'],
    modern: ['006-create-minimal', '058-create-cfg-macaddress'],
  },
  { name: 'exec create', operation: 'ContainerExec', old: ['409-exec-create'], modern: ['130-exec-create'] },
  { name: 'stats', operation: 'ContainerStats', old: ['386-stats'], modern: ['116-stats'] },
  { name: 'stats stream', operation: 'ContainerStats', old: ['387-stats-stream'], modern: ['118-stats-stream'] },
  { name: 'events', operation: 'SystemEvents', old: ['651-events'], modern: ['219-events'] },
  { name: 'wait', operation: 'ContainerWait', old: ['316-wait-min', '564-wait-stopped'], modern: ['208-wait'] },
  { name: 'top', operation: 'ContainerTop', old: ['380-top'], modern: ['113-top'] },
  {
    name: 'changes',
    operation: 'ContainerChanges',
    old: ['384-changes', '485-changes-after'],
    modern: ['120-changes', '157-changes-after'],
  },
  { name: 'volume list', operation: 'VolumeList', old: ['571-volumes-list'], modern: ['176-volumes'], since: 21 },
  {
    name: 'volume create',
    operation: 'VolumeCreate',
    old: ['572-volume-create'],
    modern: ['177-volume-create'],
    since: 21,
  },
  {
    name: 'volume inspect',
    operation: 'VolumeInspect',
    old: ['582-volume-inspect'],
    modern: ['179-volume-inspect'],
    since: 21,
  },
  { name: 'network list', operation: 'NetworkList', old: ['591-networks-list'], modern: ['182-networks'], since: 21 },
  {
    name: 'network inspect',
    operation: 'NetworkInspect',
    old: ['605-network-inspect', '615-network-inspect-active'],
    modern: ['190-network-inspect'],
    since: 21,
  },
]

/** The real engine of each client version, asked at its own version. */
export const oldEngines = [
  { engine: '1.6.2', version: '1.18' },
  { engine: '1.7.1', version: '1.19' },
  { engine: '1.8.3', version: '1.20' },
  { engine: '1.9.1', version: '1.21' },
  { engine: '1.10.3', version: '1.22' },
] as const

export interface ModernEngine {
  readonly archive: 'legacy' | 'modern'
  readonly engine: string
  /** The requested versions: the client's own, or the engine's lowest. */
  readonly versions: readonly string[]
  /** The highest version of the engine. */
  readonly highest: string
  /** Exchanges that were not recorded there, or only in part. */
  readonly lacks?: readonly string[]
}

/** These engines refused the string `Cmd` of the containers in question. */
const noStrings = ['106-inspect-full', '107-inspect-nohc', '108-inspect-strcmd']

export const modernEngines: readonly ModernEngine[] = [
  {
    archive: 'legacy',
    engine: '20.10.24',
    versions: ['1.18', '1.19', '1.20', '1.21', '1.22'],
    highest: '1.41',
    lacks: ['651-events'],
  },
  { archive: 'modern', engine: '20.10', versions: ['1.18', '1.20', '1.22'], highest: '1.41' },
  { archive: 'modern', engine: '26.1', versions: ['1.24'], highest: '1.45' },
  { archive: 'modern', engine: '28.5', versions: ['1.24'], highest: '1.51' },
  { archive: 'modern', engine: '28.5-min1.44', versions: ['1.44'], highest: '1.51' },
  { archive: 'modern', engine: '29-arrays', versions: ['1.44'], highest: '1.53' },
  { archive: 'modern', engine: '29.1.4', versions: ['1.44'], highest: '1.52', lacks: noStrings },
  { archive: 'modern', engine: '29-overlayfs', versions: ['1.44'], highest: '1.53', lacks: noStrings },
]

/**
 * Later clients, measured by the engines of their versions: 20.10 for 1.41, 26.1 for 1.45, 28.5 for 1.51. Where an engine
 * is asked at a version above the client's, the bridge must do what the engine would do for the older prefix.
 */
export const laterPairs = [
  { client: '1.41', own: '20.10', engine: '28.5', target: '1.41', highest: '1.51' },
  { client: '1.41', own: '20.10', engine: '29-arrays', target: '1.44', highest: '1.53' },
  { client: '1.45', own: '26.1', engine: '29-arrays', target: '1.53', highest: '1.53' },
  { client: '1.51', own: '28.5-arrays', engine: '29-arrays', target: '1.51', highest: '1.53' },
  { client: '1.51', own: '28.5-arrays', engine: '29-arrays', target: '1.53', highest: '1.53' },
] as const

export const recordedFile = (engine: string, version: string): string => `${engine}@${version}.json`

/** The exchanges of an archive that the scenes name. */
export const namesOf = (of: readonly Scene[], archive: 'legacy' | 'modern'): string[] => [
  ...new Set(of.flatMap((scene) => (archive === 'legacy' ? scene.old : scene.modern))),
]
