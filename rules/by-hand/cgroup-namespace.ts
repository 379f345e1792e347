import { type JsonObject, listOf } from '../../src/api/json/json.ts'

/** Whether containers share the host's cgroup namespace unless told otherwise, on cgroup v1 (daemon/info.go: `name=cgroupns`). */
export const sharedByDefault = (info: JsonObject): boolean =>
  info['CgroupVersion'] !== '2' && !listOf(info['SecurityOptions']).includes('name=cgroupns')
