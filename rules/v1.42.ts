import type { Changes } from '../src/translate/change.ts'
import create from './v1.42/create.ts'
import { errorWords } from './v1.42/error-words.ts'
import streams from './v1.42/streams.ts'
import system from './v1.42/system.ts'

export default [streams, create, system, { '1.42/error-words': errorWords }] satisfies readonly Changes[]
