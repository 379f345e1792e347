import { readFileSync } from 'node:fs'
import { formatVersion, LOWEST } from '../api/version.ts'
import { NEWEST, settingNames, settings } from '../settings.ts'

/** `--help`: one line a setting, from the settings themselves. */
export function helpText(): string {
  const rows = settingNames.map((name) => {
    const { value, help, default: fallback } = settings[name]
    return [`  --${name} ${value}`, `${help}${fallback === undefined ? '' : ` (${fallback})`}`] as const
  })
  const width = Math.max(...rows.map(([flag]) => flag.length)) + 2
  return [
    'enginebridge [serve] FLAGS…        serve clients of the container Engine API on any engine',
    'enginebridge health [--listen ADDR] ping the engine through a running bridge; exit 0 or 1',
    '',
    ...rows.map(([flag, help]) => `${flag.padEnd(width)}${help}`),
    `  ${'--config FILE'.padEnd(width - 2)}YAML with the same names`,
    '',
    'ADDR is unix:///path or tcp://host:port. Every flag has an environment variable: ENGINEBRIDGE_LISTEN, …',
    `Flag before environment before file. Clients may speak ${formatVersion(LOWEST)} to ${formatVersion(NEWEST)}.`,
    '',
  ].join('\n')
}

export function versionText(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageFile(), 'utf8'))
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : ''
  return `enginebridge ${version} (Node ${process.version})\n`
}

/** In a checkout two folders up, in the build three. */
function packageFile(): URL {
  return new URL(import.meta.url.includes('/dist/') ? '../../../package.json' : '../../package.json', import.meta.url)
}
