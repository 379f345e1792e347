import { describe, expect, it } from 'vitest'
import { ProxyError } from '../../src/api/errors.ts'
import type { JsonValue } from '../../src/api/json/json.ts'
import { Validation } from '../../src/api/validation/validation.ts'
import { apiVersion } from '../../src/api/version.ts'
import { Headers } from '../../src/http/headers.ts'
import { docker20 } from '../support/look.ts'

/** --validation strict refused what --newer-fields pass had asked to let through. */
function refusal(newerFields: 'drop' | 'pass', search: string, body: JsonValue): string | undefined {
  const asked = {
    operation: 'ContainerCreate',
    client: apiVersion(20),
    engine: docker20,
    report: () => undefined,
  } as const
  const validation = new Validation('strict', newerFields)
  try {
    validation.request(asked, search, new Headers([['Content-Type', 'application/json']]))
    validation.body(asked, { text: JSON.stringify(body), value: body })
  } catch (cause) {
    if (cause instanceof ProxyError) return cause.message
    throw cause
  }
  return undefined
}

const NEWER: JsonValue = {
  Image: 'i',
  StopSignal: 'SIGINT',
  HostConfig: { OomScoreAdj: 5, MemoryReservation: 5000000 },
}

describe('with --validation strict', () => {
  it('members newer than the client are refused', () => {
    expect(refusal('drop', '', NEWER)).toMatch(/StopSignal is a member of API 1\.21 and later/)
  })

  it('and pass with --newer-fields pass', () => {
    expect(refusal('pass', '', NEWER)).toBeUndefined()
  })

  it('what is wrong at any version is refused with --newer-fields pass too', () => {
    expect(refusal('pass', '', { ...NEWER, Env: 5 })).toMatch(
      /^the request is not valid at API 1\.20: Env must be a list$/,
    )
  })
})
