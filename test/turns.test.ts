import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { Turns } from '../src/turns.ts'

const request = (name: string): IncomingMessage => ({ url: name }) as IncomingMessage

describe('the calls of a connection', () => {
  it('are worked on one after the other, and the last is forgotten when it is over', async () => {
    const connection = new PassThrough()
    const turns = new Turns((_req, cause) => expect.fail(String(cause)))
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    const begun: string[] = []
    turns.take(connection, request('first'), () => {
      begun.push('first')
      return gates[0].promise
    })
    turns.take(connection, request('second'), () => {
      begun.push('second')
      return gates[1].promise
    })
    expect(begun).toEqual(['first'])
    expect(turns.last(connection)).toMatchObject({ req: { url: 'second' }, ahead: 1 })
    const over = turns.last(connection)?.over
    gates[0].resolve()
    gates[1].resolve()
    await over
    expect(begun).toEqual(['first', 'second'])
    expect(turns.last(connection)).toBeUndefined()
  })

  it('tell when one fails after its last word, and the next one is begun all the same', async () => {
    const connection = new PassThrough()
    const failed: unknown[] = []
    const turns = new Turns((req, cause) => failed.push([req.url, String(cause)]))
    const begun: string[] = []
    turns.take(connection, request('first'), () => Promise.reject(new Error('sink')))
    turns.take(connection, request('second'), async () => void begun.push('second'))
    await turns.last(connection)?.over
    expect(failed).toEqual([['first', 'Error: sink']])
    expect(begun).toEqual(['second'])
    expect(turns.last(connection)).toBeUndefined()
  })

  it('end the connection when a client has written a hundred of them ahead', () => {
    const connection = new PassThrough()
    const turns = new Turns((_req, cause) => expect.fail(String(cause)))
    const never = (): Promise<void> => new Promise(() => undefined)
    for (let i = 0; i <= 100; i++) turns.take(connection, request(String(i)), never)
    expect(connection.destroyed).toBe(false)
    turns.take(connection, request('more'), never)
    expect(connection.destroyed).toBe(true)
  })
})
