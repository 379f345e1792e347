import type { Change } from '../src/translate/change.ts'
import create from './v1.42/create.ts'
import { errorWords } from './v1.42/error-words.ts'
import { importPlatform } from './v1.42/import-platform.ts'
import streams from './v1.42/streams.ts'
import system from './v1.42/system.ts'

export default [...streams, ...create, ...system, errorWords, importPlatform] satisfies Change[]
