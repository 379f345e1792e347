import { readFileSync } from 'node:fs'

/** What package.json says. */
export function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(packageFile(), 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : ''
}

/** In a checkout and beside the bundled program two folders up, in the compiled modules three. */
function packageFile(): URL {
  return new URL(
    import.meta.url.includes('/dist/src/') ? '../../../package.json' : '../../package.json',
    import.meta.url,
  )
}
