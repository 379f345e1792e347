import type { Changes } from '../src/translate/change.ts'
import containers from './v1.22/containers.ts'
import create from './v1.22/create.ts'
import events from './v1.22/events.ts'
import exec from './v1.22/exec.ts'
import images from './v1.22/images.ts'
import inspect from './v1.22/inspect.ts'
import limits from './v1.22/limits.ts'
import networks from './v1.22/networks.ts'
import system from './v1.22/system.ts'

/** Events precede images: on responseUp a record must get its Type before its image id gets a prefix. */
export default [
  create,
  limits,
  inspect,
  containers,
  exec,
  events,
  images,
  networks,
  system,
] satisfies readonly Changes[]
