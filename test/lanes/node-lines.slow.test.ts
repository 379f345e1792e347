import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const arch = process.arch === 'arm64' ? 'arm64' : 'x64'

describe.each(['22', '24'])('the other Node line %s', (line) => {
  const node = join(root, `bin/runtime-24/node_modules/node${line}-linux-${arch}/bin/node`)
  // A whole test run of its own: a minute where the machine is busy.
  it.skipIf(process.version.startsWith(`v${line}.`) || !existsSync(node))(
    'carries tunnels the same, where an upgrade’s body is on the socket and not on the request',
    { timeout: 240_000 },
    async () => {
      const vitest = join(root, 'node_modules/vitest/vitest.mjs')
      const report = join(await mkdtemp(join(tmpdir(), `eb-node${line}-`)), 'report.json')
      const args = ['run', 'test/lanes/tunnel.test.ts', '--reporter=json', `--outputFile=${report}`]
      const run = promisify(execFile)(node, ['--disable-warning=DEP0060', vitest, ...args], {
        cwd: root,
        env: { ...process.env, ENGINEBRIDGE_LIVE: 'off' }, // it looks for engines otherwise
      })
      await run.catch((failed: Error) => failed)
      const counts: unknown = JSON.parse(await readFile(report, 'utf8'))
      expect(counts).toMatchObject({ numFailedTests: 0, success: true })
      expect((counts as { numPassedTests: number }).numPassedTests).toBeGreaterThan(10)
    },
  )
})
