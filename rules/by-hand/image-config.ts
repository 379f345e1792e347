import { isObject, type JsonObject, type JsonValue, objectOf, parseJson, writeJson } from '../../src/api/json/json.ts'

/** Members of a container's configuration that have no meaning for an image, with Go's zero values. */
export const RUN_TIME_ZEROS = {
  Hostname: '',
  Domainname: '',
  AttachStdin: false,
  AttachStdout: false,
  AttachStderr: false,
  Tty: false,
  OpenStdin: false,
  StdinOnce: false,
  Image: '',
} as const satisfies JsonObject

/** Members that an image's configuration omits when empty, from 1.52 on. */
export const IMAGE_ZEROS = {
  User: '',
  Env: null,
  Cmd: null,
  Volumes: null,
  WorkingDir: '',
  Entrypoint: null,
  OnBuild: null,
  Labels: null,
} as const satisfies JsonObject

/** Makes a ContainerConfig for engines without one: the image's Config with all members of a container's. */
export function containerConfigFrom(config: JsonValue | undefined): JsonObject {
  const own = isObject(config) ? parseJson(writeJson(config)) : {}
  return { ...RUN_TIME_ZEROS, ...IMAGE_ZEROS, ...objectOf(own) }
}
