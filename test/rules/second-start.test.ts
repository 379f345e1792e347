import { expect, it } from 'vitest'
import { changes } from '../../rules/index.ts'
import { stepsOf } from '../../src/translate/change.ts'

it('refuses a second start of an exec that engine 1.8 shows as if it had never run', async () => {
  const change = changes.find(({ id }) => id === '1.24/exec-start-twice')
  const [step] = change === undefined ? [] : stepsOf(change)
  const context = {
    call: { params: { id: 'e9' }, query: new URLSearchParams() },
    engine: { highest: 20 },
    engineCall: async () => ({ status: 200, body: { ID: 'e9', Running: false, ExitCode: 0 } }),
  }
  const start = async () => step?.run({ body: {} } as never, context as never)
  await start()
  await expect(start()).rejects.toThrow('Exec command e9 has already run')
})
