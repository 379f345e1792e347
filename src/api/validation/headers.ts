import type { Headers } from '../../http/headers.ts'
import { asJson, isObject } from '../json/json.ts'
import { type OperationName, operationNamed } from '../operations.ts'
import { byVersion, isNewer, isOlder, isWithin } from '../version.ts'
import { AND_LATER, type Asked, LAST_SPECIFIED, type Refusal, type Say, UNREAD_AT_START } from './finding.ts'

/** Operations with registry credentials (specification 5; engines read them on build and commit alike). */
const REGISTRY_AUTH: ReadonlySet<OperationName> = new Set(['ImageCreate', 'ImagePush', 'ImageBuild'])
const CREDENTIALS = ['username', 'password', 'email', 'serveraddress', 'auth', 'identitytoken', 'registrytoken']
const TOKEN_FROM = 22

/**
 * Operations whose JSON body requires a Content-Type, and the first version that does: exec create from 1.8, exec start
 * from 1.10 (section C.4 of the survey; recordings *-noct, *-ct-text).
 */
const JSON_TYPE: Partial<Record<OperationName, number>> = {
  ContainerCreate: 18,
  ContainerStart: 18,
  ContainerCopy: 18,
  ImageCommit: 18,
  ContainerExec: 20,
  ContainerUpdate: 22,
  VolumeCreate: 21,
  NetworkCreate: 21,
  NetworkConnect: 21,
  NetworkDisconnect: 21,
  ExecStart: 22,
}

const specified =
  (status: number) =>
  (type: string): Refusal => ({ status, text: `Content-Type specified (${type}) must be 'application/json'` })
/** Recordings create-ct-text and create-noct at 1.18 … 1.22; create-error-text-plain of 20.10, 28.5. */
const wrongType = byVersion<(type: string) => Refusal>({
  '1.18': specified(500),
  '1.30': specified(400),
  '1.44': (type) => ({
    status: 400,
    text:
      type === ''
        ? 'malformed Content-Type header (): mime: no media type'
        : `unsupported Content-Type header (${type}): must be 'application/json'`,
  }),
})

export function checkHeaders(headers: Headers, asked: Asked, say: Say): void {
  const { operation } = asked
  if (operationNamed(operation).request === 'json') bodyHeaders(headers, asked, say)
  if (REGISTRY_AUTH.has(operation)) registryAuth(headers, asked, say)
  const config = operation === 'ImageBuild' ? headers.get('X-Registry-Config') : undefined
  if (config !== undefined && !isRegistryConfig(decode(config)))
    say('header X-Registry-Config', 'must be the base64 form of a JSON object of credentials by registry')
}

function bodyHeaders(headers: Headers, asked: Asked, say: Say): void {
  const chunked = headers.has('Transfer-Encoding')
  const length = Number(headers.get('Content-Length') ?? 0)
  if (!chunked && length === 0) return
  if (chunked && !headers.has('Content-Length')) say('header Content-Length', 'should be present on POST with a body')
  const type = headers.get('Content-Type') ?? ''
  const since = JSON_TYPE[asked.operation]
  if (since === undefined || isOlder(asked.client, since) || /^application\/json\s*(?:;|$)/i.test(type)) return
  const isUnread = !chunked && length <= UNREAD_AT_START
  say('header Content-Type', 'must be application/json', typeRefusal(type, asked, isUnread))
}

function typeRefusal(type: string, { operation, client, engine }: Asked, isUnread: boolean): Refusal | undefined {
  // Engines from 1.12 on check neither a start body of up to 7 bytes nor its type; earlier ones did (recordings 1.6.2 …
  // 1.10.3: start-hc-text, start-hc-noct).
  if (operation === 'ContainerStart')
    return isUnread || isNewer(client, LAST_SPECIFIED) ? undefined : specified(500)(type)
  // Podman never checks it (recording podman-5.4, create-error-text-plain: 201).
  return engine.product === undefined ? undefined : wrongType(client)(type)
}

function registryAuth(headers: Headers, asked: Asked, say: Say): void {
  const auth = headers.get('X-Registry-Auth') ?? ''
  if (auth === '') {
    const hasBody = headers.has('Transfer-Encoding') || Number(headers.get('Content-Length') ?? 0) > 0
    if (asked.operation === 'ImagePush' && !hasBody)
      say('header X-Registry-Auth', 'is required (base64 of {} for none)', missingAuth(asked))
    return
  }
  const decoded = decode(auth)
  if (!isCredentials(decoded)) {
    say('header X-Registry-Auth', 'must be the base64 form of a JSON object of credentials, each a string')
  } else if (isOlder(asked.client, TOKEN_FROM) && isObject(decoded) && decoded['registrytoken'] !== undefined) {
    say('header X-Registry-Auth', `registrytoken is of API 1.${TOKEN_FROM}${AND_LATER}`)
  }
}

/** Recordings 1.6.2 … 1.10.3: image-push-noauth. */
function missingAuth({ client, engine: { highest, product } }: Asked): Refusal | undefined {
  // Engine 26.1 requires the header (or credentials in the body), 28.5 pushes without (both tested).
  const engineRefuses = product === undefined && isOlder(highest, 46)
  if (engineRefuses || !isWithin(client, 18, LAST_SPECIFIED)) return undefined
  return { status: client === 18 ? 500 : 400, text: 'Bad parameters and missing X-Registry-Auth: EOF' }
}

/** Accepts both base64 alphabets, with or without padding: clients of these years send all four. */
const decode = (text: string): unknown =>
  /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) ? asJson(Buffer.from(text, 'base64url').toString()) : undefined

/** docker-py and CLIs without credentials send `null`. */
const isCredentials = (value: unknown): boolean =>
  value === null ||
  (isObject(value) &&
    CREDENTIALS.every((name) => ['string', 'undefined'].includes(typeof value[name]) || value[name] === null))

const isRegistryConfig = (value: unknown): boolean =>
  value === null || (isObject(value) && Object.values(value).every(isCredentials))
