import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const make = stages()

/** Engines write the record from 1.30 on, whatever they are: subuser and docker-java 2 fail on it. */
it('a build below 1.30 has no aux record, with --newer-fields pass neither', async () => {
  const script = {
    onRequest: (_: unknown, res: { end(text: string): void }) =>
      res.end('{"stream":"Step 1/1 : FROM a\\n"}\n{"aux":{"ID":"sha256:0a"}}\n'),
  }
  const { socket } = await make(script, ['--newer-fields', 'pass'])
  const built = async (version: string): Promise<string> =>
    (await call(socket, `/v${version}/build`, { method: 'POST', body: 'tar' })).text
  expect(await built('1.29')).not.toContain('aux')
  expect(await built('1.30')).toContain('{"aux":{"ID":"sha256:0a"}}')
})
