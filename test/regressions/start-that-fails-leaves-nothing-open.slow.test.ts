import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { Authority } from '../support/certificates.ts'

const stage = stages()

/** A program that tried again until its policy was there looked at its certificates once more with each attempt. */
it('a start that fails at its policy no longer looks at the certificates that it had opened', async () => {
  const { cert, key } = new Authority(join(stage.folder(), 'ca')).issue('bridge', stage.folder())
  const said: string[] = []
  const log = pino({}, { write: (line: string) => void said.push(line) })
  const tls = ['--listen', 'tcp://127.0.0.1:0', '--tls-cert', cert, '--tls-key', key]
  const flags = [...tls, '--policy', join(stage.folder(), 'missing.json')]
  const started = stage.bridge('unix:///nowhere.sock', flags, { log })
  await expect(started).rejects.toThrow('missing.json')
  writeFileSync(cert, 'no certificate')
  await sleep(4_500) // two looks
  expect(said).toEqual([])
})
