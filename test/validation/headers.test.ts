import { describe, expect, it } from 'vitest'
import { apiVersion } from '../../src/api/version.ts'
import { docker20, look } from '../support/look.ts'
import { type BrokenRule, testBrokenRules } from '../support/validation-rows.ts'

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
const AUTH = 'header X-Registry-Auth'
const CREDENTIALS = 'must be the base64 form of a JSON object of credentials'
const specified = (type: string): string => `Content-Type specified (${type}) must be 'application/json'`

const broken: readonly BrokenRule[] = [
  {
    what: 'credentials that are no base64',
    asked: '1.18 POST /images/create?fromImage=x',
    headers: { 'X-Registry-Auth': '{"username":"a"}' },
    finds: [AUTH, CREDENTIALS],
  },
  {
    what: 'credentials that are no JSON',
    asked: '1.22 POST /images/x/push',
    headers: { 'X-Registry-Auth': Buffer.from('none').toString('base64') },
    finds: [AUTH, CREDENTIALS],
  },
  {
    what: 'credentials that are a list',
    asked: '1.22 POST /images/x/push',
    headers: { 'X-Registry-Auth': encode(['a', 'b']) },
    finds: [AUTH, CREDENTIALS],
  },
  {
    what: 'a password that is a number',
    asked: '1.22 POST /images/create?fromImage=x',
    headers: { 'X-Registry-Auth': encode({ username: 'a', password: 5 }) },
    finds: [AUTH, CREDENTIALS],
  },
  {
    what: 'a token at 1.21',
    asked: '1.21 POST /images/create?fromImage=x',
    headers: { 'X-Registry-Auth': encode({ registrytoken: 'a' }) },
    finds: [AUTH, 'registrytoken is of API 1.22'],
  },
  {
    what: 'credentials of a build that are not by registry',
    asked: '1.21 POST /build',
    headers: { 'X-Registry-Config': encode({ username: 'a' }) },
    finds: ['header X-Registry-Config', 'must be the base64 form of a JSON object of credentials by registry'],
  },
  {
    what: 'a start whose body of up to 7 bytes is text',
    asked: '1.18 POST /containers/x/start',
    headers: { 'Content-Type': 'text/plain' },
    body: '{"a":1}',
    finds: ['header Content-Type', 'must be application/json'],
  },
  {
    what: 'a start whose body is text',
    asked: '1.22 POST /containers/x/start',
    headers: { 'Content-Type': 'text/plain' },
    body: '{"Dns":[]}',
    finds: ['header Content-Type', 'must be application/json'],
    native: [500, specified('text/plain')],
  },
  {
    what: 'a start whose body has no type',
    asked: '1.18 POST /containers/x/start',
    headers: { 'Content-Type': '' },
    body: '{"Dns":[]}',
    finds: ['header Content-Type', 'must be application/json'],
    native: [500, specified('')],
  },
  {
    what: 'a create whose body is text, which the engine refuses itself',
    asked: '1.22 POST /containers/create',
    headers: { 'Content-Type': 'text/plain' },
    body: '{"Image":"x"}',
    finds: ['header Content-Type', 'must be application/json'],
  },
  {
    what: 'a push without credentials, which engines up to 26 refuse themselves',
    asked: '1.22 POST /images/x/push',
    finds: [AUTH, 'is required'],
  },
]

describe('headers that the specification does not allow', () => testBrokenRules(broken))

describe('credentials in both alphabets of base64', () => {
  // ~ and ? are / and + in one alphabet, _ and - in the other; the lengths differ in padding.
  const all = ['a', 'ab', 'abc'].map((username) => ({ username, password: '>>>???~~~', email: 'ÿÿ' }))
  const forms = all.flatMap((auth) => {
    const standard = encode(auth)
    const url = standard.replaceAll('+', '-').replaceAll('/', '_')
    return [standard, url, standard.replaceAll('=', ''), url.replaceAll('=', '')]
  })

  for (const form of new Set(forms)) {
    it(`${form} is valid, also in strict mode`, () => {
      const headers = { 'X-Registry-Auth': form }
      expect(look('strict', { operation: 'ImagePush', version: '1.18', headers }).findings).toEqual([])
    })
  }

  it('X-Registry-Config holds credentials by registry', () => {
    const headers = { 'X-Registry-Config': encode({ 'https://index.example/v1/': { username: 'a', password: 'b' } }) }
    expect(look('strict', { operation: 'ImageBuild', version: '1.21', headers }).findings).toEqual([])
  })

  it('an empty object, null, and a token from 1.22 on are valid', () => {
    for (const auth of [{}, null, { registrytoken: 't' }, { username: 'a', auth: '' }]) {
      const headers = { 'X-Registry-Auth': encode(auth) }
      expect(look('strict', { operation: 'ImageCreate', version: '1.22', headers }).findings).toEqual([])
    }
  })
})

describe('what is left to the engine behind depends on the engine', () => {
  const podman = { ...docker20, product: 'Podman Engine' }
  const headers = { 'Content-Type': 'text/plain', 'Content-Length': '2' }
  const create = { operation: 'ContainerCreate', version: '1.22', headers } as const
  const push = { operation: 'ImagePush', version: '1.22' } as const
  const missing = 'Bad parameters and missing X-Registry-Auth: EOF'

  it('Docker checks the type of a body itself, Podman never does', () => {
    expect(look('warn', create).refused).toBeUndefined()
    expect(look('warn', create, podman).refused).toEqual({ status: 500, text: specified('text/plain') })
  })

  it('the answer is that of the client’s version', () => {
    expect(look('warn', { ...create, version: '1.41' }, podman).refused).toEqual({
      status: 400,
      text: specified('text/plain'),
    })
    const newest = (type: string) =>
      look('warn', { ...create, version: '1.44', headers: { ...headers, 'Content-Type': type } }, podman).refused?.text
    expect(newest('text/plain')).toBe("unsupported Content-Type header (text/plain): must be 'application/json'")
    expect(newest('')).toBe('malformed Content-Type header (): mime: no media type')
  })

  it('a type with parameters is one', () => {
    const typed = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': '2' }
    expect(look('strict', { ...create, headers: typed }, podman).findings).toEqual([])
  })

  it('a push without credentials is left to engines that refuse it, and refused before those that do not', () => {
    expect(look('warn', push).refused).toBeUndefined()
    const engine28 = { ...docker20, highest: apiVersion(51), lowest: apiVersion(24) }
    expect(look('warn', push, engine28).refused).toEqual({ status: 400, text: missing })
    expect(look('warn', { ...push, version: '1.18' }, engine28).refused).toEqual({ status: 500, text: missing })
    expect(look('warn', { ...push, version: '1.44' }, engine28).refused).toBeUndefined()
  })
})
