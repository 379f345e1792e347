import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const arch = process.arch === 'arm64' ? 'arm64' : 'x64'
const node24 = join(root, `bin/runtime-24/node_modules/node24-linux-${arch}/bin/node`)
const ownLine = process.version.startsWith('v24.')

describe.skipIf(ownLine || !existsSync(node24))('the other Node line', () => {
  // A whole test run of its own: a minute where the machine is busy.
  it('carries tunnels the same on Node 24, where an upgrade’s body is on the socket and not on the request', {
    timeout: 240_000,
  }, async () => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const report = join(await mkdtemp(join(tmpdir(), 'eb-node24-')), 'report.json')
    const args = ['run', 'test/lanes/tunnel.test.ts', '--reporter=json', `--outputFile=${report}`]
    const run = promisify(execFile)(node24, ['--disable-warning=DEP0060', vitest, ...args], { cwd: root })
    await run.catch((failed: Error) => failed)
    const counts: unknown = JSON.parse(await readFile(report, 'utf8'))
    expect(counts).toMatchObject({ numFailedTests: 0, success: true })
    expect((counts as { numPassedTests: number }).numPassedTests).toBeGreaterThan(10)
  })
})
