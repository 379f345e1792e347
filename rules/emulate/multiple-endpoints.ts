import { ProxyError } from '../../src/api/errors.ts'
import { isObject, memberAt } from '../../src/api/json/json.ts'
import { messageOf } from '../../src/config/text.ts'
import type { EmulationContext, RequestMessage, ResponseMessage } from '../../src/translate/message.ts'
import { networkOfMode } from '../by-hand/endpoints.ts'

const NOTE = 'create.endpoints'

const pathOf = (network: string): string => `/networks/${encodeURIComponent(network)}/connect`

/**
 * Older engines create a container with one endpoint: keeps that of NetworkMode, or the first. The policy judges the
 * others before: a call that it denies makes no container.
 */
export async function keepFirstEndpoint({ body }: RequestMessage, context: EmulationContext): Promise<void> {
  const config = memberAt(body, 'NetworkingConfig')
  const endpoints = memberAt(config, 'EndpointsConfig')
  if (!isObject(body) || !isObject(config) || !isObject(endpoints)) return
  const names = Object.keys(endpoints)
  const network = networkOfMode(memberAt(body['HostConfig'], 'NetworkMode'), context.engine.os)
  const first = network !== undefined && names.includes(network) ? network : names[0]
  if (names.length < 2 || first === undefined) return
  const { [first]: kept, ...others } = endpoints
  config['EndpointsConfig'] = { [first]: kept }
  for (const network of Object.keys(others)) context.permit('POST', pathOf(network))
  context.memory.set(NOTE, others)
}

/** Connects the others before the answer is sent. If one fails, the container is removed. */
export async function connectOthers({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  const others = context.memory.get(NOTE)
  const id = memberAt(body, 'Id')
  if (!isObject(others) || typeof id !== 'string') return
  try {
    for (const [network, endpoint] of Object.entries(others)) {
      const { status, error } = await context.engineCall('POST', pathOf(network), {
        body: { Container: id, EndpointConfig: endpoint ?? null },
      })
      if (status >= 400) throw new ProxyError('validation', error, { status })
    }
  } catch (cause) {
    const problem = await notRemoved(id, context).catch(messageOf)
    if (!(cause instanceof ProxyError) || problem === undefined) throw cause
    const { code, status, message } = cause
    throw new ProxyError(code, `${message} (container ${id} is left over: ${problem})`, { status, cause })
  }
}

async function notRemoved(id: string, context: EmulationContext): Promise<string | undefined> {
  const query = { v: '1', force: '1' }
  const { status, error } = await context.engineCall('DELETE', `/containers/${id}`, { query })
  return status >= 400 && status !== 404 ? error : undefined
}
