import type { Changes } from '../src/translate/change.ts'
import create from './v1.19/create.ts'
import inspect from './v1.19/inspect.ts'
import limits from './v1.19/limits.ts'
import streams from './v1.19/streams.ts'
import system from './v1.19/system.ts'

/** From 1.19 on bodies are strictly typed. `create` is first, so that all later steps can rely on the types. */
export default [create, limits, inspect, streams, system] satisfies readonly Changes[]
