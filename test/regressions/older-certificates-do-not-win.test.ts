import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, renameSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { TlsFiles } from '../../src/http/tls/tls-files.ts'
import { Authority } from '../support/certificates.ts'

it('of two reloads of certificates the later has the last word, though the files were slow to read at the first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'))
  const authority = new Authority(join(folder, 'ca'))
  const [older, newer] = [
    authority.issue('older', join(folder, 'older')),
    authority.issue('newer', join(folder, 'newer')),
  ]
  const paths = { cert: join(folder, 'cert'), key: join(folder, 'key'), ca: join(folder, 'ca.pem') }
  const put = (issued: typeof older): void => {
    for (const name of ['cert', 'key', 'ca'] as const) {
      copyFileSync(issued[name], `${paths[name]}.new`)
      renameSync(`${paths[name]}.new`, paths[name])
    }
  }
  put(older)
  const files = await TlsFiles.open(paths, {}, pino({ level: 'silent' }))
  onTestFinished(() => files.close())
  execFileSync('mkfifo', [`${paths.ca}.pipe`])
  renameSync(`${paths.ca}.pipe`, paths.ca) // who reads it waits until it is written here
  const first = files.reload()
  const slow = await open(paths.ca, 'w')
  put(newer)
  const second = files.reload()
  await Promise.race([second, sleep(200)])
  await slow.writeFile(readFileSync(older.ca))
  await slow.close()
  await Promise.all([first, second])
  expect(files.options.cert?.toString()).toBe(readFileSync(newer.cert, 'utf8'))
})
