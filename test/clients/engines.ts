import { DOCKER_ENGINES, PODMAN, PODMAN_5_8 } from '../live/support/suites.ts'
import { RECORDED_ENGINES, type RecordedEngine } from '../replay/exchange.ts'

/** The version announced to clients that are newer than the engine. */
export const ANNOUNCED = '1.52'

export const ENGINES = [...DOCKER_ENGINES, PODMAN, PODMAN_5_8] as const
export type Engine = (typeof ENGINES)[number]

export const recordedName = (engine: RecordedEngine): string => `${engine}, recorded`

/** The columns of the page. */
export const COLUMNS: readonly string[] = [...ENGINES, ...RECORDED_ENGINES.map(recordedName)]
