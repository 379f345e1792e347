import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** npm's answer, also when it ends with an error: `audit` does where it finds something. */
const npm = async (...args: string[]): Promise<Record<string, unknown>> => {
  const options = { cwd: root, maxBuffer: 1 << 26, timeout: 100_000 }
  const { stdout } = await run('npm', args, options).catch((failed: { stdout?: string }) => ({ stdout: failed.stdout }))
  try {
    return JSON.parse(stdout ?? '')
  } catch {
    return { error: stdout }
  }
}

interface Locked {
  readonly dev?: boolean
  readonly optional?: boolean
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
}

const locked = async (): Promise<[string, Locked][]> => {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries<Locked>(lock.packages).filter(([path]) => path.startsWith('node_modules/'))
}

describe('the packages in use', () => {
  it('have no known fault of weight, as far as the registry tells', async (context) => {
    const answer = await npm('audit', '--omit=dev', '--json')
    const counts = (answer['metadata'] as { vulnerabilities?: Record<string, number> } | undefined)?.vulnerabilities
    if (counts === undefined) {
      const why = JSON.stringify(answer['message'] ?? answer['error'] ?? answer).slice(0, 200)
      process.stderr.write(`\nNOT CHECKED: the registry does not say which packages have known faults: ${why}\n`)
      if (process.env['DEPENDENCY_AUDIT'] === 'required') throw new Error(`npm audit: ${why}`)
      context.skip('the registry has no audit')
    }
    expect({ high: counts?.['high'], critical: counts?.['critical'] }).toEqual({ high: 0, critical: 0 })
  }, 120_000)

  it('are pinned by hash, wherever they come from', async () => {
    const packages = await locked()
    expect(packages.length).toBeGreaterThan(50)
    for (const [path, { integrity, resolved, link }] of packages) {
      if (link === true) continue
      expect([path, integrity]).toEqual([path, expect.stringMatching(/^sha512-/)])
      expect([path, resolved]).toEqual([path, undefined])
    }
  })
})
