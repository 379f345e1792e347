import type { Changes } from '../src/translate/change.ts'
import containers from './v1.20/containers.ts'
import create from './v1.20/create.ts'
import hostConfig from './v1.20/host-config.ts'
import inspect from './v1.20/inspect.ts'
import system from './v1.20/system.ts'

export default [create, hostConfig, inspect, containers, system] satisfies readonly Changes[]
