import { DOCKER_ENGINES, PODMAN } from '../live/support/suites.ts'

/** What is announced to clients that are newer than the engine. */
export const ANNOUNCED = '1.52'

export const ENGINES = [...DOCKER_ENGINES, PODMAN] as const
export type Engine = (typeof ENGINES)[number]
