import type { ApiVersion } from './version.ts'

export interface EngineFacts {
  /** The highest version the engine serves; decides on `release` changes. */
  readonly highest: ApiVersion
  readonly lowest: ApiVersion
  /** The engine's release, such as `20.10.24`; '' if unknown. */
  readonly release: string
  readonly os: string
  /** As spelled in `GET /version`: `amd64`. */
  readonly arch: string
  /** `Podman Engine`, or undefined for Docker and Moby. */
  readonly product: string | undefined
}

export const isPodman = ({ product }: { readonly product?: string | undefined }): boolean =>
  product?.startsWith('Podman') ?? false

/** Names of volumes (volume/names.go); any other source of a bind is a path of the host. */
export const VOLUME_NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/
