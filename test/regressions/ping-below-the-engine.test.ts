import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const stage = stages()

/**
 * Command lines 18.09 to 20.10 negotiate the announced version, and take their builder from the same ping: below 1.39 they
 * ended with "buildkit not supported by daemon".
 */
it.each(['GET', 'HEAD'])('with --announce-api 1.38, a %s ping without a version names no builder', async (method) => {
  const { socket } = await stage({ onRequest: (_req, res) => void res.setHeader('Builder-Version', '2').end() }, [
    '--announce-api',
    '1.38',
  ])
  const { headers } = await call(socket, '/_ping', { method })
  expect(headers['builder-version']).toBeUndefined()
})
