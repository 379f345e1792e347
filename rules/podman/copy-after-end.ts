import { setTimeout } from 'node:timers/promises'
import { unlessFailed } from '../../src/api/errors.ts'
import { type JsonValue, memberAt, stringOf } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'
import { type Change, emulated, inspectPath } from '../../src/translate/ops.ts'

/** Milliseconds between looks at a container. */
const LOOKS = [0, 20, 50, 100, 200, 400, 800, 1600, 3200, 3200]
/** A container that ended before, in milliseconds, is kept mounted by somebody else. */
const CLEANED_UP = 10_000

/** Only while it is mounted does an inspect show where, with the driver overlay (libpod/driver/driver.go @v5.4.2). */
const awaitsCleanup = (container: JsonValue | undefined): boolean =>
  memberAt(container, 'State', 'Status') === 'exited' &&
  memberAt(container, 'GraphDriver', 'Data', 'MergedDir') !== undefined &&
  Date.now() - Date.parse(stringOf(memberAt(container, 'State', 'FinishedAt'))) < CLEANED_UP

/** Later steps find the last inspect in `memory`. */
async function look(context: EmulationContext): Promise<void> {
  const path = inspectPath(context)
  for (const ms of LOOKS) {
    if (ms > 0) await setTimeout(ms, undefined, { ref: false })
    const { status, body } = await context.engineCall('GET', path)
    if (status < 500) context.memory.set(path, body ?? null)
    if (!awaitsCleanup(body)) return
  }
}

/** A look that fails does not fail the copy. */
async function waitForCleanup({ method, path, query }: RequestMessage, context: EmulationContext): Promise<void> {
  context.permit(method, `${path}?${query}`)
  if (!context.allows('GET', inspectPath(context))) return
  await unlessFailed(look(context))
}

export const copyAfterEnd = {
  summary: 'A copy right after the end of a container has nothing in it, or goes nowhere.',
  // A copy takes no lock: where it found the container mounted, it reads or writes an empty directory after that.
  see: 'libpod/container_copy_common.go @v5.4.2; seen on 5.4.2 and 5.8.6, with overlay',
  ops: emulated(['ContainerArchive', 'ContainerCopy', 'PutContainerArchive'], 'the container is unmounted by then', {
    part: 'head',
    requestUp: waitForCleanup,
  }),
  examples: {
    'ContainerArchive requestUp': [
      ['path=/x', 'path=/x', { calls: { 'GET /containers/web/json': { body: { State: { Status: 'exited' } } } } }],
    ],
  },
} satisfies Change
