/** The sections of CHANGELOG.md: `## Unreleased`, `## 1.2.3 (2026-11-22)`. */

const section = (changelog: string, heading: RegExp): string | undefined =>
  changelog.split(/^(?=## )/m).find((part) => heading.test(part.split('\n', 1)[0] ?? ''))

/** The changelog section of a version, without its heading. Throws if there is none. */
export function notesOf(changelog: string, version: string): string {
  const found = section(
    changelog,
    version === 'Unreleased' ? /^## Unreleased$/ : new RegExp(`^## ${version.replaceAll('.', '\\.')} `),
  )
  const text = found?.split('\n').slice(1).join('\n').trim() ?? ''
  if (text === '') throw new Error(`CHANGELOG.md says nothing under ${version}`)
  return `${text}\n`
}

/** The changelog when a version is released: what was unreleased becomes its section. */
export function released(changelog: string, version: string, date: string): string {
  notesOf(changelog, 'Unreleased')
  return changelog.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version} (${date})`)
}
