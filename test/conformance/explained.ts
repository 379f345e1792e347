import type { Explained } from './explain.ts'
import { byIds } from './explained/direct.ts'
import { byEngines } from './explained/engines.ts'
import { later } from './explained/later.ts'
import { newest } from './explained/newest.ts'
import { recorded } from './explained/recorded.ts'
import { byWays } from './explained/ways.ts'

/** Every difference that is right or cannot be otherwise, with the reason. One that no longer occurs fails the run. */
export const explained: readonly Explained[] = [...recorded, ...byEngines, ...byWays, ...byIds, ...later, ...newest]
