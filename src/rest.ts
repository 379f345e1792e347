import v8 from 'node:v8'
import vm from 'node:vm'

/** How often it is looked whether there is anything to do. */
const LOOK_MS = 10_000
/** Of the processor, since the last look: more than that, and somebody waits for the next byte. */
const BUSY = 0.01
/** Processor time that leaves garbage worth the collection: less than a start takes. */
const WORTH_MS = 200

/** Decides, from the processor time of the process, when it has come to rest after work. */
export class Rest {
  #last: number
  #collected = 0

  /** `used`: processor time at its beginning, in ms. */
  constructor(used: number) {
    this.#last = used
  }

  /** Whether now is the time; `used` is all processor time so far, `passed` the time since the last look. */
  look(used: number, passed: number): boolean {
    const busy = used - this.#last > BUSY * passed
    this.#last = used
    return !busy && used - this.#collected >= WORTH_MS
  }

  /** What the collection took is no work. */
  collected(used: number): void {
    this.#last = used
    this.#collected = used
  }
}

/**
 * Gives memory back when nothing happens any more. V8 collects when there is no room, and keeps what it has then: an idle bridge
 * would hold the garbage of its start, or of its last busy hour, for as long as it is idle (figures: docs/performance.md). Its own
 * reduction of memory (`memory_reducer`) mostly did not begin. For a program of our own, not for one that embeds the bridge.
 */
export function collectAtRest(log: { debug(facts: object, message: string): void }): void {
  const rest = new Rest(processorMs())
  const timer = setInterval(() => {
    if (!rest.look(processorMs(), LOOK_MS)) return
    collect().then(
      () => rest.collected(processorMs()),
      (err: unknown) => {
        clearInterval(timer) // it would fail each time, and nothing depends on it
        log.debug({ err }, 'memory is not given back at rest')
      },
    )
  }, LOOK_MS).unref()
}

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

type Collect = (options: { type: 'major'; execution: 'async'; flavor: 'last-resort' }) => Promise<void>

/** A whole collection that also gives empty pages back, as a task of its own (V8's extensions/gc-extension.cc). */
export async function collect(): Promise<void> {
  v8.setFlagsFromString('--expose-gc')
  const gc = vm.runInNewContext('gc') as Collect
  v8.setFlagsFromString('--no-expose-gc') // compiled code is taken only under the flags it was made with
  await gc({ type: 'major', execution: 'async', flavor: 'last-resort' })
}
