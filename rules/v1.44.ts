import type { Change } from '../src/translate/change.ts'
import create from './v1.44/create.ts'
import images from './v1.44/images.ts'
import inspect from './v1.44/inspect.ts'
import networks from './v1.44/networks.ts'

export default [...images, ...create, ...networks, ...inspect] satisfies Change[]
