import { ProxyError } from '../../src/api/errors.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import { Answer, type EmulationContext, type RequestMessage } from '../../src/translate/message.ts'
import { pathStatOf } from '../by-hand/tar-header.ts'

/** Room for the first header of a tar with the records of a long name before it. */
const HEADER_BYTES = 16 * 1024

const STAT = 'X-Docker-Container-Path-Stat'
const NOTE = 'archive.stat'

/** The file or directory asked for, or the error that an engine with /archive gives. */
function wantedPath(context: EmulationContext, change: BoundChange): string {
  const path = context.call.query.get('path') ?? ''
  if (path === '') throw new ProxyError('validation', "bad parameter: 'path' cannot be empty")
  // /copy names the entries after the directory; here they would have to be named after the dot.
  if (/(^|\/)\.$/.test(path))
    context.lose({
      what: 'query parameter path that ends in a dot',
      needs: change.from,
      change: change.id,
      onLoss: 'refuse',
    })
  return path
}

const copyPath = (context: EmulationContext): string =>
  `/containers/${encodeURIComponent(context.call.params['name'] ?? '')}/copy`

/** The path stat, as 1.8 puts it into its header: from the first entry of what /copy sends. */
async function askForStat(context: EmulationContext, path: string): Promise<string> {
  const name = context.call.params['name'] ?? ''
  const { status, error, start } = await context.engineStart('POST', copyPath(context), {
    body: { Resource: path },
    bytes: HEADER_BYTES,
  })
  // An unknown container has no words on these engines, a missing file has 500 (recordings of 1.7.1: copy-404, copy-404file).
  if (status === 404) throw new ProxyError('not-found', error === '' ? `no such id: ${name}` : error)
  if (/^Could not find the file/.test(error)) throw new ProxyError('not-found', error)
  if (status >= 400) throw new ProxyError('bad-request', error, { status })
  const stat = pathStatOf(start)
  if (stat === undefined) throw new ProxyError('engine-broke-off', 'the engine sent something that is no tar')
  return Buffer.from(JSON.stringify(stat)).toString('base64')
}

/** HEAD archive on an engine that has only /copy. */
export async function archiveInfo(
  _message: RequestMessage,
  context: EmulationContext,
  change: BoundChange,
): Promise<void> {
  const stat = await askForStat(context, wantedPath(context, change))
  // This answer passes no further step: the specification's name of the header is given here.
  const neutral = context.policy.profile === 'spec' ? { 'X-Engine-Container-Path-Stat': stat } : {}
  throw new Answer(200, undefined, { [STAT]: stat, ...neutral, 'Content-Type': 'application/octet-stream' })
}

/** GET archive on an engine that has only /copy, whose tar has the same layout: asked twice, first for the stat. */
export async function archive(message: RequestMessage, context: EmulationContext, change: BoundChange): Promise<void> {
  const path = wantedPath(context, change)
  context.memory.set(NOTE, await askForStat(context, path))
  message.method = 'POST'
  message.path = copyPath(context)
  message.query.delete('path')
  message.body = { Resource: path }
}

/** The headers of the answer to what was asked above. */
export function archiveHeaders(
  { headers }: { headers: { set(name: string, value: string): void } },
  { memory }: { memory: EmulationContext['memory'] },
): void {
  const stat = memory.get(NOTE)
  if (typeof stat !== 'string') return
  headers.set(STAT, stat)
  headers.set('Content-Type', 'application/x-tar')
}
