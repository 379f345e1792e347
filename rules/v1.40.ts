import type { Change } from '../src/translate/change.ts'
import create from './v1.40/create.ts'
import swarm from './v1.40/swarm.ts'
import system from './v1.40/system.ts'

export default [...system, ...create, ...swarm] satisfies Change[]
