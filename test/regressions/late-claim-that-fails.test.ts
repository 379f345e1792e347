import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ExclusiveWork } from '../../src/engine/replaced/exclusive.ts'

// Nobody heard that rejection: it ended the process (vitest reports it as an unhandled error).
it('a start that waited too long for the other processes does not mind when its claim fails afterwards', async () => {
  const claim = async (): Promise<never> => {
    await sleep(50)
    throw new Error('the other process has ended')
  }
  const peers = { claim, replaced: () => undefined, forgotten: () => undefined }
  const work = new ExclusiveWork(peers, 10).runExclusively({ id: 'a', name: 'web' }, async () => 'done')
  await expect(work).rejects.toThrow('web is being recreated by another start')
  await sleep(100)
})
