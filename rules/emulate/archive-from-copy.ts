import { ProxyError } from '../../src/api/errors.ts'
import { pathStatOf } from '../../src/api/tar.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import {
  Answer,
  type EmulationContext,
  type RequestMessage,
  type ResponseMessage,
  type StepContext,
} from '../../src/translate/message.ts'
import { asStat, PATH_STAT } from '../by-hand/path-stat.ts'

/** Room for the first header of a tar with the records of a long name before it. */
const HEADER_BYTES = 16 * 1024

const NOTE = 'archive.stat'
const PATH_WITH_DOT = 'query parameter path that ends in a dot'

/** Returns the requested path, or throws the error of an engine with /archive. */
function wantedPath(context: EmulationContext, change: BoundChange): string {
  const path = context.call.query.get('path') ?? ''
  if (path === '') throw new ProxyError('validation', "bad parameter: 'path' cannot be empty")
  // /copy names the entries after the directory; /archive would name them after the dot.
  if (/(^|\/)\.$/.test(path))
    context.lose({ what: PATH_WITH_DOT, needs: change.from, change: change.id, onLoss: 'refuse' })
  return path
}

const copyPath = (context: EmulationContext): string =>
  `/containers/${encodeURIComponent(context.call.params['name'] ?? '')}/copy`

/** The value of 1.8's stat header, made from the first entry of the tar that /copy sends. */
async function askForStat(context: EmulationContext, path: string): Promise<string> {
  const name = context.call.params['name'] ?? ''
  const { status, error, start } = await context.engineStart('POST', copyPath(context), {
    body: { Resource: path },
    bytes: HEADER_BYTES,
  })
  // On these engines an unknown container has no error text, and a missing file status 500 (recordings of 1.7.1: copy-404, copy-404file).
  if (status === 404) throw new ProxyError('not-found', error === '' ? `no such id: ${name}` : error)
  if (/^Could not find the file/.test(error)) throw new ProxyError('not-found', error)
  if (status >= 400) throw new ProxyError('bad-request', error, { status })
  const stat = pathStatOf(start)
  if (stat === undefined)
    throw new ProxyError('engine-broke-off', 'the engine sent a response that is not a tar archive')
  return asStat(stat)
}

/** HEAD archive on an engine that has only /copy. */
export async function archiveInfo(_: RequestMessage, context: EmulationContext, change: BoundChange): Promise<void> {
  const stat = await askForStat(context, wantedPath(context, change))
  // No further step sees this answer, so the header's name in the specification is added here.
  const neutral = context.policy.profile === 'spec' ? { 'X-Engine-Container-Path-Stat': stat } : {}
  throw new Answer(200, undefined, { [PATH_STAT]: stat, ...neutral, 'Content-Type': 'application/octet-stream' })
}

/** GET archive on an engine that has only /copy, whose tar has the same layout. /copy is called twice, first for the stat. */
export async function archive(message: RequestMessage, context: EmulationContext, change: BoundChange): Promise<void> {
  const path = wantedPath(context, change)
  context.memory.set(NOTE, await askForStat(context, path))
  message.method = 'POST'
  message.path = copyPath(context)
  message.query.delete('path')
  message.body = { Resource: path }
}

/** Adds the headers of /archive to the answer of /copy. */
export function archiveHeaders({ headers }: ResponseMessage, { memory }: StepContext): void {
  const stat = memory.get(NOTE)
  if (typeof stat !== 'string') return
  headers.set(PATH_STAT, stat)
  headers.set('Content-Type', 'application/x-tar')
}
