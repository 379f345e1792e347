import type { Change } from '../src/translate/change.ts'
import create from './v1.40/create.ts'
import system from './v1.40/system.ts'

export default [...system, ...create] satisfies Change[]
