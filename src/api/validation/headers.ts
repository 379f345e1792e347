import type { Headers } from '../../http/headers.ts'
import type { EngineFacts } from '../engine-facts.ts'
import { asJson, isObject } from '../json/json.ts'
import { type OperationName, operationNamed } from '../operations.ts'
import { type ApiVersion, isOlder } from '../version.ts'
import { AND_LATER, type Native, nativeAt, type Raw, UNREAD_AT_START } from './finding.ts'

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

/** Podman never checks it (recording podman-5.4, create-error-text-plain: 201). */
const dockerLooks = (engine: EngineFacts): boolean => engine.product === undefined
const contentType = (from: number, to: number, status: number, text: (type: unknown) => string): Native => ({
  from,
  to,
  status,
  text,
  source: 'recordings create-ct-text and create-noct at 1.18 … 1.22; create-error-text-plain of 20.10, 28.5',
  leftTo: dockerLooks,
})
const specified = (type: unknown): string => `Content-Type specified (${type}) must be 'application/json'`
const wrongType: readonly Native[] = [
  contentType(18, 29, 500, specified),
  contentType(30, 43, 400, specified),
  contentType(44, 999, 400, (type) =>
    type === ''
      ? 'malformed Content-Type header (): mime: no media type'
      : `unsupported Content-Type header (${type}): must be 'application/json'`,
  ),
]
/** Engines from 1.12 on check neither a start body of up to 7 bytes nor its type; earlier ones did. */
const wrongTypeAtStart: readonly Native[] = [
  {
    from: 18,
    to: 22,
    status: 500,
    text: specified,
    source: 'recordings 1.6.2 … 1.10.3: start-hc-text, start-hc-noct',
  },
]

/** Engine 26.1 requires the header (or credentials in the body), 28.5 pushes without (both tested). */
const wantsAuth = ({ highest, product }: EngineFacts): boolean => product === undefined && isOlder(highest, 46)
const missingAuthAt = (from: number, to: number, status: number): Native => ({
  from,
  to,
  status,
  text: () => 'Bad parameters and missing X-Registry-Auth: EOF',
  source: 'recordings 1.6.2 … 1.10.3: image-push-noauth',
  leftTo: wantsAuth,
})
const missingAuth: readonly Native[] = [missingAuthAt(18, 18, 500), missingAuthAt(19, 22, 400)]

/** Rules exist for the operation's headers. */
export const readsHeaders = (operation: OperationName): boolean =>
  operationNamed(operation).request === 'json' || REGISTRY_AUTH.has(operation)

export function checkHeaders(headers: Headers, operation: OperationName, version: ApiVersion): Raw[] {
  const found: Raw[] = []
  const say = (name: string, rule: string, value: unknown = '', native: Native | undefined = undefined): number =>
    found.push({ field: `header ${name}`, rule, value, native })
  if (operationNamed(operation).request === 'json') bodyHeaders(headers, operation, version, say)
  if (REGISTRY_AUTH.has(operation)) registryAuth(headers, operation, version, say)
  const config = operation === 'ImageBuild' ? headers.get('X-Registry-Config') : undefined
  if (config !== undefined && !isRegistryConfig(decode(config)))
    say('X-Registry-Config', 'must be the base64 form of a JSON object of credentials by registry')
  return found
}

type Say = (name: string, rule: string, value?: unknown, native?: Native) => number

function bodyHeaders(headers: Headers, operation: OperationName, version: ApiVersion, say: Say): void {
  const chunked = headers.has('Transfer-Encoding')
  if (!chunked && Number(headers.get('Content-Length') ?? 0) === 0) return
  if (chunked && !headers.has('Content-Length')) say('Content-Length', 'should be present on POST with a body')
  const type = headers.get('Content-Type') ?? ''
  const since = JSON_TYPE[operation]
  if (since === undefined || isOlder(version, since) || /^application\/json\s*(?:;|$)/i.test(type)) return
  const unread = !chunked && Number(headers.get('Content-Length')) <= UNREAD_AT_START
  const natives = operation !== 'ContainerStart' ? wrongType : unread ? [] : wrongTypeAtStart
  say('Content-Type', 'must be application/json', type, nativeAt(natives, version))
}

function registryAuth(headers: Headers, operation: OperationName, version: ApiVersion, say: Say): void {
  const auth = headers.get('X-Registry-Auth')
  if (auth === undefined || auth === '') {
    const hasBody = headers.has('Transfer-Encoding') || Number(headers.get('Content-Length') ?? 0) > 0
    if (operation === 'ImagePush' && !hasBody)
      say('X-Registry-Auth', 'is required (base64 of {} for none)', '', nativeAt(missingAuth, version))
    return
  }
  const decoded = decode(auth)
  if (!isCredentials(decoded)) {
    say('X-Registry-Auth', 'must be the base64 form of a JSON object of credentials, each a string')
  } else if (isOlder(version, TOKEN_FROM) && isObject(decoded) && decoded['registrytoken'] !== undefined) {
    say('X-Registry-Auth', `registrytoken is of API 1.${TOKEN_FROM}${AND_LATER}`)
  }
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
