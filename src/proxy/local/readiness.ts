import { ProxyError } from '../../api/errors.ts'
import type { ClientRequest } from '../../http/client/request.ts'
import type { ClientResponse } from '../../http/client/response.ts'
import { Headers } from '../../http/headers.ts'
import type { Core, Door } from '../core.ts'
import { send } from '../engine-side/reply.ts'
import { checkDraining, checkExpectation } from '../steps/admit.ts'
import { READY_HEADER, READY_PATH } from './ready-path.ts'

export const asksWhetherReady = ({ method, target, hasBody }: ClientRequest): boolean =>
  method === 'GET' && target === READY_PATH && !hasBody

/** Reports whether the engine responds. */
export async function sayWhetherReady(
  core: Pick<Core, 'discovery' | 'draining'>,
  { checkOrigin }: Door,
  request: ClientRequest,
  response: ClientResponse,
): Promise<void> {
  try {
    checkExpectation(request, response)
    checkOrigin?.(request.headers, request.target)
    checkDraining(core)
    await core.discovery.ask()
    say(response, 200, 'ok\n', [READY_HEADER, 'yes'])
  } catch (cause) {
    if (!(cause instanceof ProxyError)) throw cause
    say(response, cause.status, `${cause.message}\n`, [READY_HEADER, 'no', 'Enginebridge-Error', cause.code])
  }
}

function say(response: ClientResponse, status: number, text: string, fields: readonly string[]): void {
  if (response.gone) return
  const body = Buffer.from(text)
  const own = ['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(body.length)]
  send(response, { status, headers: Headers.fromRaw([...own, ...fields]), body })
}
