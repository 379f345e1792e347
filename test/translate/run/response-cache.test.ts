import { describe, expect, it } from 'vitest'
import { readFacts } from '../../../src/engine/discovery.ts'
import { untouched } from '../../../src/translate/plans.ts'
import { ResponseCache } from '../../../src/translate/run/response-cache.ts'
import { stages } from '../../support/bridge.ts'
import { call } from '../../support/client.ts'

const facts = readFacts({ Version: '20.10.24', ApiVersion: '1.41', MinAPIVersion: '1.12', Os: 'linux', Arch: 'amd64' })
const plan = untouched({ client: facts.highest, target: facts.highest, highest: facts.highest })
const asked = (url: string) => ({ plan, engine: facts, url })
const bytes = (size: number, fill = 'a'): Buffer => Buffer.alloc(size, fill)

describe('remembered answers', () => {
  const stage = stages()

  it('translates what the engine says now: the same bytes the same way, other bytes anew', async () => {
    const states = ['running', 'running', 'exited', 'running']
    const { socket } = await stage({
      onRequest: (_req, res) => {
        res.setHeader('Content-Type', 'application/json')
        res.end(JSON.stringify([{ Id: 'a', Status: 'Up', State: states.shift(), Mounts: [] }]))
      },
    })
    const answers: string[] = []
    for (let i = 0; i < 4; i++) answers.push((await call(socket, '/v1.24/containers/json')).text)
    expect(answers.map((text) => JSON.parse(text)[0].State)).toEqual(['running', 'running', 'exited', 'running'])
    expect(answers[1]).toBe(answers[0])
  })

  it('gives clients of two versions, and of two questions, each their own answer', async () => {
    const { socket } = await stage({
      onRequest: (_req, res) => {
        res.setHeader('Content-Type', 'application/json')
        res.end(JSON.stringify([{ Id: 'a', State: 'running', Mounts: [] }]))
      },
    })
    for (let round = 0; round < 2; round++) {
      expect((await call(socket, '/v1.22/containers/json')).text).not.toContain('State')
      expect((await call(socket, '/v1.24/containers/json')).text).toContain('State')
      expect((await call(socket, '/v1.18/containers/json?size=1')).text).toContain('SizeRw')
      expect((await call(socket, '/v1.18/containers/json')).text).not.toContain('SizeRw')
    }
  })

  it('finds nothing for other bytes, another plan, another engine or another question', () => {
    const answers = new ResponseCache(1 << 20)
    answers.keep(asked('/a'), { received: bytes(10), written: bytes(5, 'b') })
    expect(answers.find(asked('/a'), bytes(10))).toEqual(bytes(5, 'b'))
    expect(answers.find(asked('/a'), bytes(10, 'c'))).toBeUndefined()
    expect(answers.find(asked('/b'), bytes(10))).toBeUndefined()
    expect(answers.find({ ...asked('/a'), plan: { ...plan } }, bytes(10))).toBeUndefined()
    expect(answers.find({ ...asked('/a'), engine: { ...facts } }, bytes(10))).toBeUndefined()
  })

  it('forgets what was longest not asked for when there would be more than the limit', () => {
    const answers = new ResponseCache(1000)
    for (const url of ['/a', '/b', '/c', '/d']) answers.keep(asked(url), { received: bytes(110), written: bytes(110) })
    answers.find(asked('/a'), bytes(110))
    answers.keep(asked('/e'), { received: bytes(110), written: bytes(110) })
    const found = ['/a', '/b', '/c', '/d', '/e'].filter((url) => answers.find(asked(url), bytes(110)) !== undefined)
    expect(found).toEqual(['/a', '/c', '/d', '/e'])
  })

  it('does not keep an answer that would take more than a quarter of the limit, nor any with the limit 0', () => {
    const answers = new ResponseCache(1000)
    answers.keep(asked('/a'), { received: bytes(200), written: bytes(100) })
    expect(answers.find(asked('/a'), bytes(200))).toBeUndefined()
    const none = new ResponseCache(0)
    none.keep(asked('/a'), { received: bytes(1), written: bytes(1) })
    expect(none.find(asked('/a'), bytes(1))).toBeUndefined()
  })
})
