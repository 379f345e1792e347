import { TOOLS, toolFolder } from '../clients/tools.ts'
import { engineScript, whyNoEngines } from './support/engine-script.ts'
import { DOCKER_ENGINES, PODMAN } from './support/suites.ts'

/** Fetches what the live tests run, as far as it is missing: a bar on a terminal, else a line each. Where no engine can run, nothing. */
const versions = new Set([...DOCKER_ENGINES, PODMAN].map((name) => name.replace(/-min.*/, '')))
const parts: readonly (readonly [string, () => Promise<unknown>])[] = [
  ...[...versions].map((version) => [`engine ${version}`, () => engineScript('install', version)] as const),
  ...TOOLS.map((tool) => [tool, () => toolFolder(tool)] as const),
  ['chromium', () => engineScript('browser')],
]

function say(done: number, what: string): void {
  const bar = '#'.repeat((20 * done) / parts.length).padEnd(20)
  const line = `[${bar}] ${done} of ${parts.length} ${what}`
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`)
}

if (whyNoEngines() === undefined) {
  for (const [i, [name, fetched]] of parts.entries()) {
    say(i, name)
    await fetched().catch((cause: unknown) =>
      say(i, `${name} is not to be had, its tests will say so: ${String(cause)}\n`),
    )
  }
  say(parts.length, 'fetched\n')
}
