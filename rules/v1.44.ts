import type { Change } from '../src/translate/change.ts'
import create from './v1.44/create.ts'
import images from './v1.44/images.ts'
import inspect from './v1.44/inspect.ts'
import networks from './v1.44/networks.ts'
import swarm from './v1.44/swarm.ts'

export default [...images, ...create, ...networks, ...inspect, ...swarm] satisfies Change[]
