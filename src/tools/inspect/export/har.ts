import { STATUS_CODES } from 'node:http'
import { defined } from '../../../config/defined.ts'
import type { CallDetails, KeptBody, Message } from '../shown/view.ts'

/**
 * HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/): the client's requests and responses, as its own
 * tools would export them. The engine's side and the translation are in `_enginebridge`: names starting with `_` are
 * free for extensions.
 */
export function toHar(calls: readonly CallDetails[], creator: { readonly version: string }): object {
  return {
    log: {
      version: '1.2',
      creator: { name: 'enginebridge', version: creator.version },
      entries: calls.map(entryOf),
      comment: 'Secrets are taken out; the server "engine" is a container engine, mostly on a unix socket.',
    },
  }
}

/** HAR requires absolute URLs, and engines have no host name. */
const ORIGIN = 'http://engine'

function entryOf(details: CallDetails): object {
  const { summary, record, clientRequest, engineRequest, engineResponse, clientResponse, tunnel, applied } = details
  const { engine = 0, bridge = 0, total = 0 } = record.duration ?? {}
  return {
    startedDateTime: summary.at,
    time: summary.milliseconds,
    request: requestOf(details, clientRequest),
    response: responseOf(summary.status, clientResponse, details.responseType),
    cache: {},
    timings: {
      ...{ blocked: -1, dns: -1, connect: -1, ssl: -1 },
      send: bridge,
      wait: engine,
      receive: Math.max(0, total - bridge - engine),
    },
    _enginebridge: {
      ...defined({ client: summary.client, engine: summary.engine, lane: summary.lane }),
      applied,
      ...defined({ losses: record.losses, error: record.error }),
      auditId: record.auditId,
      ...defined({ request: engineRequest, response: engineResponse, tunnel }),
    },
  }
}

function requestOf({ summary, contentType = '' }: CallDetails, clientRequest: Message | undefined): object {
  const at = summary.target.indexOf('?')
  const query = at === -1 ? '' : summary.target.slice(at) // names and values may contain a ?
  const body = clientRequest?.body
  return {
    method: summary.method,
    url: ORIGIN + summary.target,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headersOf(clientRequest),
    queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
    headersSize: -1,
    bodySize: summary.lane === 'tunnel' ? (body?.bytes ?? 0) : summary.bytesIn,
    ...(body === undefined ? {} : { postData: { mimeType: contentType, text: textOf(body), ...why(body) } }),
  }
}

function responseOf(status: number | undefined, clientResponse: Message | undefined, type = ''): object {
  const text = clientResponse?.body === undefined ? clientResponse?.stream?.text : textOf(clientResponse.body)
  const size = clientResponse?.body?.bytes ?? clientResponse?.stream?.bytes ?? 0
  const location = clientResponse?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  return {
    status: status ?? 0,
    statusText: STATUS_CODES[status ?? 0] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headersOf(clientResponse),
    content: {
      size,
      mimeType: type,
      ...(text === undefined ? {} : { text }),
      ...(clientResponse?.body ? why(clientResponse.body) : {}),
    },
    redirectURL: location ?? '',
    headersSize: -1,
    bodySize: size,
  }
}

const headersOf = (message: Message | undefined): object[] =>
  (message?.headers ?? []).map(([name, value]) => ({ name, value }))

const textOf = ({ json, text = '' }: KeptBody): string => json ?? text

function why({ withheld, cut, redacted }: KeptBody): { readonly comment?: string } {
  const said = [
    ...(withheld === undefined ? [] : [`not kept: ${withheld}`]),
    ...(cut === undefined ? [] : ['its beginning']),
    ...(redacted === undefined ? [] : ['secrets are taken out']),
  ]
  return said.length === 0 ? {} : { comment: said.join('; ') }
}
