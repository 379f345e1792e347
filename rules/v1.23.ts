import type { Changes } from '../src/translate/change.ts'
import containers from './v1.23/containers.ts'
import eventAttributes from './v1.23/event-attributes.ts'
import hostConfig from './v1.23/host-config.ts'
import imagesBuild from './v1.23/images-build.ts'
import systemNetworks from './v1.23/system-networks.ts'

export default [containers, hostConfig, eventAttributes, imagesBuild, systemNetworks] satisfies readonly Changes[]
