import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dispatch } from '../../src/cli/dispatch.ts'
import { captured } from '../support/io.ts'

const folder = mkdtempSync(join(tmpdir(), 'eb-'))
const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('enginebridge policy check', () => {
  const check = async (...words: string[]): Promise<[number, string]> => {
    const io = captured()
    return [await dispatch(['policy', 'check', ...words], io), io.out()]
  }

  it('ends with 0 and the rule for what is let through, with 1 for what is not', async () => {
    const policy = file('p.yaml', 'rules:\n  sections: {CONTAINERS: 1}\n')
    expect(await check(policy, 'GET', '/v1.44/containers/json')).toEqual([
      0,
      'allowed: ContainerList (GET /containers/json) is allowed (rule CONTAINERS=1)\n',
    ])
    expect((await check(policy, 'post', '/v1.44/containers/x/start'))[0]).toBe(1)
    expect((await check('read-only', 'GET', '/nosuch'))[0]).toBe(1)
  })

  it('takes the variables of another socket proxy for a policy', async () => {
    const io = captured({ env: { CONTAINERS: '1', ALLOW_START: '1' } })
    const codes = ['start', 'stop'].map((verb) =>
      dispatch(['policy', 'check', 'env', 'POST', `/v1.44/containers/web/${verb}`], io),
    )
    expect(await Promise.all(codes)).toEqual([0, 1])
  })

  it('looks at a body, given as text or as a file', async () => {
    const body = '{"HostConfig":{"Privileged":true}}'
    const asFile = `@${file('body.json', body)}`
    for (const said of [body, asFile])
      expect(await check('ci', 'POST', '/containers/create', said)).toEqual([
        1,
        'refused: ContainerCreate: the container is privileged (rule bodies.privileged)\n',
      ])
  })

  it('takes the rules of a listener', async () => {
    const policy = file('l.yaml', 'rules: {}\nlisteners:\n  unix:///a:\n    preset: all\n')
    expect((await check(policy, 'GET', '/info'))[0]).toBe(1)
    expect((await check(policy, 'GET', '/info', '--listener', 'unix:///a'))[0]).toBe(0)
  })

  it('says what is wrong with a command line or a file', async () => {
    await expect(check('ci', 'GET', 'info')).rejects.toThrow(/must begin with \//)
    await expect(check('ci', 'GET')).rejects.toThrow(/PATH is missing/)
    await expect(check('nosuch', 'GET', '/')).rejects.toThrow(/neither a preset/)
    await expect(check(file('bad.yaml', 'rules:\n  allow: [Nope]\n'), 'GET', '/')).rejects.toThrow(/unknown operation/)
  })
})
