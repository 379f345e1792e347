import { changes, deviations, readings } from '../../../rules/index.ts'
import { ProxyError } from '../../api/errors.ts'
import { findOperation, isOperationName, type OperationName, operationNamed } from '../../api/operations.ts'
import { shapes } from '../../api/shapes/shapes.ts'
import {
  type ApiVersion,
  clampVersion,
  formatVersion,
  isOlder,
  LOWEST,
  parseVersion,
  splitPrefix,
} from '../../api/version.ts'
import { defined } from '../../config/defined.ts'
import { Answer, type TranslationPolicy } from '../../translate/message.ts'
import { Plans } from '../../translate/plans.ts'
import { emulationsOf } from '../explain/applies.ts'
import { contextFor, type Noted, type Task, translateRequest, translateResponse } from './messages.ts'
import type { Message, Translated, TranslateOptions } from './types.ts'

/** Invalid options of `translate`: an unknown operation or an invalid version. */
export class TranslateError extends Error {
  override readonly name = 'TranslateError'
}

/** Plans are compiled once per set of options. */
const compiled = new Map<string, Plans>()

function plansFor(policy: TranslationPolicy): Plans {
  const key = `${policy.newerFields} ${policy.losses} ${policy.profile}`
  let plans = compiled.get(key)
  if (plans === undefined) {
    plans = new Plans({ changes: [...changes, ...deviations], shapes, readings }, policy)
    compiled.set(key, plans)
  }
  return plans
}

/**
 * Translates one message between two API versions, without a bridge and without an engine: synchronous, no I/O.
 * Refusals are returned as `refused`, losses in `losses`; changes that need calls to the engine are listed in
 * `notPossible`. A response that depends on its request needs the request's `path` with its query. Throws
 * TranslateError for invalid options.
 */
export function translate(options: TranslateOptions, message: Message = {}): Translated {
  const task = readTask(options, message)
  const { operation, exchange, policy, direction } = task
  const plan = plansFor(policy).get(operation, exchange.client, exchange.target, exchange.highest)
  const noted: Noted = {
    changes: plan.changes,
    notPossible: emulationsOf(operation, exchange, direction),
    losses: [],
    ignored: [],
  }
  const unchanged = {
    ...blank(task),
    ...noted,
    ...defined({ headers: message.headers, status: message.status, body: message.body, text: message.text }),
  }
  try {
    const context = contextFor(task, noted)
    const done =
      direction === 'request'
        ? translateRequest(task, plan, message, context)
        : translateResponse(plan, message, context)
    return { ...blank(task), ...noted, ...done }
  } catch (cause) {
    if (cause instanceof ProxyError)
      return { ...unchanged, refused: { status: cause.status, code: cause.code, message: cause.message } }
    if (cause instanceof Answer)
      return { ...unchanged, refused: { status: cause.status, code: 'answered', message: cause.message } }
    throw cause
  }
}

function readTask(options: TranslateOptions, message: Message): Task {
  const { operation, params, wirePath, search } = whichOperation(options)
  const client = version('client', options.client)
  if (isOlder(client, LOWEST))
    throw new TranslateError(`there are rules from ${formatVersion(LOWEST)} on, not for ${options.client}`)
  const said = typeof options.engine === 'string' ? { highest: options.engine } : options.engine
  const highest = version('engine', said.highest)
  const lowest = said.lowest === undefined ? highest : version('engine.lowest', said.lowest)
  const target =
    options.target === undefined ? clampVersion(client, lowest, highest) : version('target', options.target)
  return {
    operation,
    params,
    wirePath,
    search: message.query ?? search,
    query: new URLSearchParams(message.query ?? search),
    exchange: { client, target, highest },
    engine: {
      highest,
      lowest,
      release: said.release ?? '',
      os: said.os ?? 'linux',
      arch: said.arch ?? 'amd64',
      product: said.product,
    },
    policy: {
      newerFields: options.newerFields ?? 'drop',
      losses: options.losses ?? 'warn',
      profile: options.profile ?? 'engine',
      announce: undefined,
    },
    direction: options.direction,
  }
}

function whichOperation({ operation, method, path }: TranslateOptions): {
  operation: OperationName
  params: Task['params']
  wirePath: string
  search: string
} {
  const [wire = ''] = (path ?? '').split('?', 1)
  const search = (path ?? '').slice(wire.length)
  const { rest } = splitPrefix(wire)
  const match =
    path === undefined ? undefined : findOperation((method ?? 'GET').toUpperCase(), decodeURIComponent(rest))
  const name = operation ?? match?.operation.name
  if (name === undefined || !isOperationName(name))
    throw new TranslateError(
      operation === undefined ? `no operation is ${method} ${path}` : `no operation is called ${operation}`,
    )
  return {
    operation: name,
    params: match?.params ?? {},
    wirePath: path === undefined ? operationNamed(name).path : rest,
    search,
  }
}

function version(what: string, text: string): ApiVersion {
  const parsed = parseVersion(text)
  if (parsed === undefined) throw new TranslateError(`${what}: ${JSON.stringify(text)} is no API version; write 1.44`)
  return parsed
}

const blank = ({ operation, exchange, wirePath, search }: Task) => ({
  operation,
  target: formatVersion(exchange.target),
  method: operationNamed(operation).method,
  path: `/v${formatVersion(exchange.target)}${wirePath}`,
  query: search.replace(/^\?/, ''),
  status: 200,
  headers: {},
  dropped: false,
})
