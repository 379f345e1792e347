import { describe, expect, it } from 'vitest'
import { CompiledRules } from '../../src/policy/file/ruleset.ts'

/** Clients send a seccomp profile whole, some ten thousand bytes; patterns were not tried on more than 1024. */
describe('a seccomp profile, where the policy lists seccomp=*', () => {
  const judge = (profile: string): unknown => {
    const body = Buffer.from(JSON.stringify({ HostConfig: { SecurityOpt: [`seccomp=${profile}`] } }))
    const create = { method: 'POST', path: '/v1.44/containers/create', contentType: 'application/json', body }
    const rules = new CompiledRules({ preset: 'all', bodies: { 'security-opts': ['seccomp=*'] } })
    return rules.judge(create)
  }
  const names = JSON.stringify({ names: Array(5000).fill('read') })

  it('is allowed, however long it is', () => {
    expect(judge(names)).toMatchObject({ allowed: true })
  })

  it('is refused with a slash, which a star does not stand for', () => {
    expect(judge(`${names}/x`)).toMatchObject({ allowed: false, rule: 'bodies.security-opts' })
  })
})
