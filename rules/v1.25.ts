import type { Changes } from '../src/translate/change.ts'
import autoRemove from './v1.25/auto-remove.ts'
import containers from './v1.25/containers.ts'
import create from './v1.25/create.ts'
import errors from './v1.25/errors.ts'
import imagesBuild from './v1.25/images-build.ts'
import swarm from './v1.25/swarm.ts'
import systemNetworks from './v1.25/system-networks.ts'

export default [autoRemove, create, containers, errors, imagesBuild, systemNetworks, swarm] satisfies readonly Changes[]
