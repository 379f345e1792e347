import { STATUS_CODES } from 'node:http'
import { defined } from '../../config/defined.ts'
import { type CallDetails, headerOf, type KeptBody, type Message } from './shown/view.ts'

/** HAR requires absolute URLs, and engines have no host name. */
const ORIGIN = 'http://engine'

/**
 * HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/): the client's requests and responses, as its own
 * tools would export them. The engine's side and the translation are in `_enginebridge`: names starting with `_` are
 * free for extensions.
 */
export const toHar = (calls: readonly CallDetails[], creator: { readonly version: string }): object => ({
  log: {
    version: '1.2',
    creator: { name: 'enginebridge', version: creator.version },
    entries: calls.map(entryOf),
    comment: 'Secrets are taken out; the server "engine" is a container engine, mostly on a unix socket.',
  },
})

function entryOf({ summary, record, applied, tunnel, ...messages }: CallDetails): object {
  const { engine = 0, bridge = 0, total = 0 } = record.duration ?? {}
  const { clientRequest, engineRequest, engineResponse, clientResponse } = messages
  return {
    startedDateTime: summary.at,
    time: summary.milliseconds,
    request: requestOf(summary, clientRequest),
    response: responseOf(summary.status ?? 0, clientResponse, engineResponse),
    cache: {},
    timings: {
      ...{ blocked: -1, dns: -1, connect: -1, ssl: -1 },
      ...{ send: bridge, wait: engine, receive: Math.max(0, total - bridge - engine) },
    },
    _enginebridge: {
      ...defined({ client: summary.client, engine: summary.engine, lane: summary.lane }),
      ...{ applied, auditId: record.auditId },
      ...defined({ losses: record.losses, error: record.error }),
      ...defined({ request: engineRequest, response: engineResponse, tunnel }),
    },
  }
}

function requestOf({ method, target, lane, bytesIn }: CallDetails['summary'], message: Message | undefined): object {
  const at = target.indexOf('?')
  const query = at === -1 ? '' : target.slice(at) // names and values may contain a ?
  const body = message?.body
  const mimeType = headerOf(message, 'content-type') ?? ''
  return {
    method,
    url: ORIGIN + target,
    ...headOf(message),
    queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
    bodySize: lane === 'tunnel' ? (body?.bytes ?? 0) : bytesIn,
    ...(body === undefined ? {} : { postData: { mimeType, text: textOf(body), ...comment(body) } }),
  }
}

function responseOf(status: number, message: Message | undefined, fromEngine: Message | undefined): object {
  const { body, stream } = message ?? {}
  const size = body?.bytes ?? stream?.bytes ?? 0
  const mimeType = headerOf(message ?? fromEngine, 'content-type') ?? ''
  const text = body === undefined ? stream?.text : textOf(body)
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    ...headOf(message),
    content: { size, mimeType, ...defined({ text }), ...(body === undefined ? {} : comment(body)) },
    redirectURL: headerOf(message, 'location') ?? '',
    bodySize: size,
  }
}

const headOf = (message: Message | undefined): object => ({
  httpVersion: 'HTTP/1.1',
  cookies: [],
  headers: (message?.headers ?? []).map(([name, value]) => ({ name, value })),
  headersSize: -1,
})

const textOf = ({ json, text = '' }: KeptBody): string => json ?? text

function comment({ withheld, cut, redacted }: KeptBody): { readonly comment?: string } {
  const said = [
    withheld && `not kept: ${withheld}`,
    cut && 'its beginning',
    withheld === undefined && redacted && 'secrets are taken out',
  ]
  const words = said.filter(Boolean).join('; ')
  return words === '' ? {} : { comment: words }
}
