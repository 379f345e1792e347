import type { Changes } from '../src/translate/change.ts'
import errors from './v1.24/errors.ts'
import events from './v1.24/events.ts'
import hostConfig from './v1.24/host-config.ts'
import lists from './v1.24/lists.ts'
import startCopy from './v1.24/start-copy.ts'
import systemNetworks from './v1.24/system-networks.ts'

export default [errors, events, startCopy, hostConfig, lists, systemNetworks] satisfies readonly Changes[]
