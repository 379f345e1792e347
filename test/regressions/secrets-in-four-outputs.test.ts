import { describe, expect, it } from 'vitest'
import { recorder } from '../../src/tools/recording/recorder.ts'
import { Viewer } from '../inspect/support.ts'
import { stages } from '../support/bridge.ts'
import { call, eventually, RawConnection } from '../support/client.ts'

const MARK = 'hunter2X7'
const QUERY = [
  ['a label among changes', '/commit', 'changes', `LABEL password=${MARK}`],
  ['a label in quotes', '/commit', 'changes', `LABEL a=b "api-token"="x ${MARK} y"`],
  ['a label without =', '/commit', 'changes', `label password x ${MARK}`],
  ['a label of a later build step', '/commit', 'changes', `ONBUILD LABEL secret=${MARK}`],
  ['a label whose value is on the next line', '/commit', 'changes', `LABEL password \\\n  ${MARK}`],
  ['a variable on a line that goes on', '/commit', 'changes', `ENV A=b \\\n  C=${MARK}`],
  ['a list among changes', '/commit', 'changes', `CMD ["login","--password","${MARK}"]`],
  ['a switch that holds something else', '/swarm/update', 'rotateWorkerToken', MARK],
  ['another such switch', '/swarm/update', 'rotateManagerUnlockKey', MARK],
  ['a switch with a harmless name', '/containers/x/kill', 'force', MARK],
  ['a registry', '/images/create', 'fromImage', `u:${MARK}@registry.example/x`],
  ['a label of a filter', '/containers/prune', 'filters', `{"label":["password=x ${MARK}"]}`],
] as const

const BODIES = [
  ['a device', '/volumes/create', { DriverOpts: { type: 'cifs', device: `//u:${MARK}@host/share` } }],
  ['mount options', '/volumes/create', { DriverOpts: { type: 'cifs', o: `addr=h,user=u,pass=${MARK},vers=3` } }],
  ['a source for a database driver', '/volumes/create', { DriverOpts: { dsn: `root:${MARK}@tcp(db:3306)/x` } }],
  ['a switch', '/swarm/update', { RotateWorkerToken: MARK }],
  ['a list of labels', '/volumes/create', { Labels: [`password=two ${MARK}`] }],
  ['a quoted value', '/containers/create', { Cmd: ['sh', '-c', `login password="x ${MARK}"`] }],
] as const

describe('a secret that docs/audit.md promises to remove', () => {
  const stage = stages()

  /** The text of the audit log, the inspector, its HAR file, its recording and `record` after a call. */
  async function outputs(make: (socket: string) => Promise<unknown>): Promise<Record<string, string>> {
    const recorded: unknown[] = []
    const { socket, bridge, audit } = await stage(
      {
        onRequest: async (req, res) => {
          for await (const _ of req);
          res.writeHead(400, { 'Content-Type': 'application/json' }).end('{"message":"no"}')
        },
      },
      ['--inspect', 'tcp://127.0.0.1:0', '--audit-level', 'requestResponse'],
      { observers: [recorder((one) => recorded.push(one))] },
    )
    await make(socket)
    await eventually(() => audit.some(({ stage }) => stage === 'failed' || stage === 'complete'), 'the call is over')
    const viewer = new Viewer(bridge.inspect)
    const calls = await viewer.calls()
    const details = await Promise.all(calls.map(({ id }) => viewer.details(id)))
    return {
      audit: JSON.stringify(audit),
      inspector: JSON.stringify([calls, details]),
      har: (await viewer.ask('/api/har')).text,
      recording: JSON.stringify(recorded) + (await viewer.ask('/api/recording')).text,
    }
  }

  function expectClean(texts: Record<string, string>): void {
    for (const [output, text] of Object.entries(texts)) {
      const clean = decodeURIComponent(text.replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25'))
      expect([output, clean.includes(MARK)]).toEqual([output, false])
    }
  }

  it.each(QUERY)('is in none of the four outputs: %s in a query', async (_what, path, name, value) => {
    const texts = await outputs((socket) =>
      call(socket, `/v1.44${path}?${new URLSearchParams({ [name]: value })}`, { method: 'POST' }),
    )
    expectClean(texts)
    for (const text of Object.values(texts)) expect(text).toContain(path)
  })

  it.each(BODIES)('is in none of the four outputs: %s in a body', async (_what, path, body) => {
    const headers = { 'Content-Type': 'application/json' }
    const texts = await outputs((socket) =>
      call(socket, `/v1.44${path}`, { method: 'POST', body: JSON.stringify(body), headers }),
    )
    expectClean(texts)
    for (const text of Object.values(texts)) expect(text).toContain('[redacted]')
  })

  it.each([`/v1.44/images/u:${MARK}@host/json`, `/v1.44/nowhere/u:${MARK}@host`, `/v1.44/containers/u:${MARK}@h/json`])(
    'is in none of the four outputs: a user in the path %s',
    async (path) => {
      const texts = await outputs((socket) => call(socket, path))
      expectClean(texts)
      for (const text of Object.values(texts)) expect(text).toContain('[redacted]@')
    },
  )

  it('is in none of the four outputs: the user of a CONNECT', async () => {
    const texts = await outputs(async (socket) => {
      const client = new RawConnection(socket)
      client.send(`CONNECT u:${MARK}@h:1 HTTP/1.1\r\nHost: h\r\n\r\n`)
      await client.untilEnd()
    })
    expectClean(texts)
    expect(texts['audit']).toContain('[redacted]@h:1')
  })
})
