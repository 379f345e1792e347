import { expect, it } from 'vitest'
import { stages } from './bridge.ts'
import { call, type Reply } from './client.ts'

/** A request that breaks one rule of the specification, and the expected finding. */
export interface BrokenRule {
  readonly what: string
  /** `1.22 POST /containers/create?name=x`. */
  readonly asked: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The field and the beginning of the rule. */
  readonly finds: readonly [field: string, rule: string]
  /** The refusal of an engine of that version, if the engine behind the bridge accepts the request. */
  readonly native?: readonly [status: number, text: string]
}

export type Row = readonly [
  what: string,
  asked: string,
  body: unknown,
  finds: BrokenRule['finds'],
  native?: BrokenRule['native'],
]

export const fromRow = ([what, asked, body, finds, native]: Row): BrokenRule => ({
  what,
  asked,
  body,
  finds,
  ...(native === undefined ? {} : { native }),
})

interface Outcome {
  readonly reply: Reply
  readonly reached: boolean
  readonly findings: readonly { field: string; rule: string }[]
}

/**
 * Each broken rule in each mode, over real sockets. The engine behind has the client's version and accepts everything, so
 * that nothing is translated and a refusal is the bridge's.
 */
export function testBrokenRules(rules: readonly BrokenRule[]): void {
  const stage = stages()
  const ask = async (rule: BrokenRule, mode: string): Promise<Outcome> => {
    const [version = '', method = '', path = ''] = rule.asked.split(' ')
    const { socket, engine, audit } = await stage(
      {
        version: { ApiVersion: version, MinAPIVersion: '1.12', Version: 'x', Os: 'linux', Arch: 'amd64' },
        onRequest: (req, res) => {
          req.resume()
          res.setHeader('Content-Type', 'application/json')
          res.end('{}')
        },
      },
      ['--validation', mode],
    )
    const body =
      rule.body === undefined ? undefined : typeof rule.body === 'string' ? rule.body : JSON.stringify(rule.body)
    const reply = await call(socket, `/v${version}${path}`, {
      method,
      ...(rule.headers === undefined ? {} : { headers: rule.headers }),
      ...(body === undefined ? {} : { body }),
    })
    const findings = audit.at(-1)?.['findings'] as Outcome['findings'] | undefined
    return { reply, reached: engine.seen.length > 0, findings: findings ?? [] }
  }

  for (const rule of rules) {
    const [field, words] = rule.finds
    const [status, text] = rule.native ?? []
    const named = `${rule.what} (${rule.asked})`
    it(`${named}: warn ${status === undefined ? 'forwards and reports it' : `answers ${status} as an engine of that version`}`, async () => {
      const { reply, reached, findings } = await ask(rule, 'warn')
      expect(findings).toContainEqual({ field, rule: expect.stringContaining(words) })
      expect({ reached, status: reply.status }).toEqual({ reached: status === undefined, status: status ?? 200 })
      if (text !== undefined) expect(reply.text).toBe(`${text}\n`)
    })
    it(`${named}: strict refuses it, naming field and rule`, async () => {
      const { reply, reached } = await ask(rule, 'strict')
      expect({ reached, status: reply.status }).toEqual({ reached: false, status: 400 })
      expect(reply.text).toContain(`${field} ${words}`)
      expect(reply.headers['enginebridge-error']).toBe('validation')
    })
    it(`${named}: off forwards it and says nothing`, async () => {
      const { reply, reached, findings } = await ask(rule, 'off')
      expect({ reached, status: reply.status, findings }).toEqual({ reached: true, status: 200, findings: [] })
    })
  }
}
