import type { Observer } from '../../audit/watched.ts'
import { WatchedCall } from '../inspect/call.ts'
import { recordedCall } from '../inspect/export/recording.ts'
import type { RecordedCall } from './format.ts'

/** `body`: limit for a recorded body in bytes. What clients type into tunnels is counted, not kept. */
const KEEPING = { body: 256 * 1024, input: false }

/** Observes every call of a bridge; `write` receives it when it has ended. */
export function recorder(write: (call: RecordedCall) => void): Observer {
  const keeper = {
    changed: () => undefined,
    ended: ({ details }: WatchedCall) => {
      const call = recordedCall(details)
      if (call !== undefined) write(call)
    },
  }
  return (watched) => new WatchedCall(0, watched, KEEPING, keeper)
}
