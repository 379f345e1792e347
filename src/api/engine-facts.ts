import type { ApiVersion } from './version.ts'

/** What is known about the engine. */
export interface EngineFacts {
  /** The highest version the engine serves: decides on `release` changes. */
  readonly highest: ApiVersion
  readonly lowest: ApiVersion
  /** Its own version, such as `20.10.24`; '' when it does not say. */
  readonly release: string
  readonly os: string
  /** As `GET /version` spells it: `amd64`. */
  readonly arch: string
  /** `Podman Engine`, or undefined for Docker and Moby. */
  readonly product: string | undefined
}
