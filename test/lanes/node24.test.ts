import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const arch = process.arch === 'arm64' ? 'arm64' : 'x64'
const node24 = join(root, `bin/runtime/node_modules/node24-linux-${arch}/bin/node`)
const ownLine = process.version.startsWith('v24.')

describe.skipIf(ownLine || !existsSync(node24))('the other Node line', () => {
  it('carries tunnels the same on Node 24, where an upgrade’s body is on the socket and not on the request', async () => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const run = promisify(execFile)(
      node24,
      ['--disable-warning=DEP0060', vitest, 'run', 'test/lanes/tunnel.test.ts', '--reporter=json'],
      {
        cwd: root,
        maxBuffer: 16 << 20,
      },
    )
    const { stdout } = await run.catch((failed: { stdout: string }) => failed)
    const report = JSON.parse(stdout.slice(stdout.indexOf('{')))
    expect(report).toMatchObject({ numFailedTests: 0 })
    expect(report.numPassedTests).toBeGreaterThan(10)
  })
})
