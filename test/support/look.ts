import type { EngineFacts } from '../../src/api/engine-facts.ts'
import { ProxyError } from '../../src/api/errors.ts'
import { type JsonValue, parseJson } from '../../src/api/json/json.ts'
import type { OperationName } from '../../src/api/operations.ts'
import type { Finding } from '../../src/api/validation/finding.ts'
import { Validation, type ValidationMode } from '../../src/api/validation/validation.ts'
import { apiVersion, parseVersion } from '../../src/api/version.ts'
import { Headers } from '../../src/http/headers.ts'

export const docker20: EngineFacts = {
  highest: apiVersion(41),
  lowest: apiVersion(12),
  release: '20.10.24',
  os: 'linux',
  arch: 'amd64',
  product: undefined,
}

export interface Request {
  readonly operation: OperationName
  /** `1.22` */
  readonly version: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Looked {
  readonly findings: readonly Finding[]
  readonly refused: { readonly status: number; readonly text: string } | undefined
}

/** The result of validation for a request, without a bridge around it. */
export function look(mode: Exclude<ValidationMode, 'off'>, request: Request, engine = docker20): Looked {
  const client = parseVersion(request.version)
  if (client === undefined) throw new Error(`${request.version} is no version`)
  const findings: Finding[] = []
  const report = (found: readonly Finding[]): void => {
    findings.push(...found)
  }
  const asked = { operation: request.operation, client, engine, report }
  const validation = new Validation(mode)
  try {
    validation.request(asked, request.query ?? '', new Headers(Object.entries(request.headers ?? {})))
    if (validation.readsBody(request.operation, client)) {
      const text = request.body ?? ''
      validation.body(asked, { text, value: jsonOf(text) })
    }
  } catch (cause) {
    if (!(cause instanceof ProxyError)) throw cause
    return { findings, refused: { status: cause.status, text: cause.message } }
  }
  return { findings, refused: undefined }
}

function jsonOf(text: string): JsonValue | undefined {
  try {
    return parseJson(text)
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined
    throw cause
  }
}
