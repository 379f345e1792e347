import { ProxyError } from '../../src/api/errors.ts'
import { memberAt, stringOf } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { requireJson } from '../by-hand/json-body.ts'
import { PATH_STAT, statIn } from '../by-hand/path-stat.ts'

const RESOURCE = '1.24/copy-removed resource'

/**
 * Sends POST copy as GET archive, even if the engine still has copy: engines 17.x to 25 omit a directory's own name from
 * its tar (recording 20.10.24, copy-dir), which archive keeps as 1.6 to 1.12 did. Copy follows a link at the end of the
 * path and archive sends the link itself, so a link is resolved first.
 */
export async function copyAsArchive(message: RequestMessage, context: EmulationContext): Promise<void> {
  const { body } = message
  const resource = memberAt(body, 'Resource')
  requireJson(message, 'copy')
  if (typeof resource !== 'string' || resource === '')
    throw new ProxyError('validation', 'Path cannot be empty', { status: 500 })
  context.memory.set(RESOURCE, resource)
  message.method = 'GET'
  message.path = message.path.replace(/\/copy$/, '/archive')
  message.body = undefined
  message.headers.delete('Content-Type')
  for (const name of [...message.query.keys()]) message.query.delete(name)
  const path = `/${resource.replace(/^\//, '')}`
  const { headers } = await context.engineCall('HEAD', message.path, { query: { path } })
  message.query.set('path', stringOf(memberAt(statIn(headers.get(PATH_STAT)), 'linkTarget')) || path)
}

/**
 * The errors of copy: a missing path is 500 with the path as the client sent it, an unknown container a 404 without text
 * (recordings 1.6.2 … 1.12.6, copy-404file and copy-404).
 */
export function copyErrors(message: ResponseMessage, { call, memory }: StepContext): void {
  const resource = memory.get(RESOURCE)
  if (message.status !== 404 || resource === undefined) return
  if (/could not find the file|no such file or directory/i.test(message.text ?? '')) {
    message.status = 500
    message.text = `Could not find the file ${resource} in container ${call.params['name']}`
    return
  }
  delete message.text
}
