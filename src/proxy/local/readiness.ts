import { asProxyError, ProxyError } from '../../api/errors.ts'
import type { ClientRequest } from '../../http/client/request.ts'
import type { ClientResponse } from '../../http/client/response.ts'
import { Headers } from '../../http/headers.ts'
import type { Door, Journey } from '../journey.ts'
import { checkRequest } from '../steps/request-checks.ts'
import { READY_HEADER, READY_PATH } from './ready-path.ts'
import { reasonFor } from './reply.ts'

export const asksWhetherReady = ({ method, target, hasBody }: ClientRequest): boolean =>
  method === 'GET' && target === READY_PATH && !hasBody

/** Reports whether the engine responds. */
export async function sayWhetherReady(
  { discovery, draining }: Pick<Journey, 'discovery' | 'draining'>,
  { checkOrigin }: Door,
  request: ClientRequest,
  response: ClientResponse,
): Promise<void> {
  try {
    checkRequest(request, response)
    checkOrigin?.(Headers.fromRaw(request.fields), request.target)
    if (draining()) throw new ProxyError('draining', 'the bridge is shutting down')
    await discovery.ask()
    say(response, 200, 'ok\n', [READY_HEADER, 'yes'])
  } catch (thrown) {
    const cause = asProxyError(thrown)
    if (!(cause instanceof ProxyError)) throw cause
    say(response, cause.status, `${cause.message}\n`, [READY_HEADER, 'no', 'Enginebridge-Error', cause.code])
  }
}

function say(response: ClientResponse, status: number, text: string, fields: readonly string[]): void {
  if (response.gone) return
  const body = Buffer.from(text)
  const own = ['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(body.length)]
  response.head(status, reasonFor(status, 0, ''), [...own, ...fields])
  response.end(body)
}
