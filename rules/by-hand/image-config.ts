import { isObject, type JsonObject, type JsonValue, parseJson, writeJson } from '../../src/api/json/json.ts'

/** Members of a container's configuration that say nothing of an image, at Go's zero values. */
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

/** What an image's configuration leaves out when empty, from 1.52 on. */
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

/** A ContainerConfig for an engine that no longer keeps one: the image's Config with every member of a container's. */
export function containerConfigFrom(config: JsonValue | undefined): JsonObject {
  const own = isObject(config) ? parseJson(writeJson(config)) : {}
  return { ...RUN_TIME_ZEROS, ...IMAGE_ZEROS, ...(isObject(own) ? own : {}) }
}
