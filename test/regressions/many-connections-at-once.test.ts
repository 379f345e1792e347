import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'

/** Node lets 511 connections wait, engines as many as the system does (4096): the others were refused with EAGAIN. */
const stage = stages()

it('800 clients that connect at the same moment all reach the bridge', async () => {
  const { socket } = await stage({ onRequest: (_, res) => res.end() })
  const connections = Array.from({ length: 800 }, () => connect(socket))
  const outcomes = await Promise.allSettled(connections.map((connection) => once(connection, 'connect')))
  for (const connection of connections) connection.destroy()
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
})
