import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The commands of README.md, unchanged except for the substitutions below. */

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

export const SECTIONS = [
  'Two commands',
  'One file',
  'Debian, Ubuntu',
  'Fedora, RHEL',
  'npm',
  'A container',
  'Kubernetes',
] as const
export type Section = (typeof SECTIONS)[number]

type Substitution = readonly [within: readonly Section[], says: string | RegExp, done: string, because: string]

const DEB = ['Debian, Ubuntu'] as const
const RPM = ['Fedora, RHEL'] as const
const IMAGE = ['A container'] as const

/** The caller fills in each `{name}`. */
export const SUBSTITUTIONS: readonly Substitution[] = [
  [['Two commands', ...IMAGE], /^DOCKER_HOST=\S+ the-old-client …$/gm, '', 'the client is in checks.ts'],
  [RPM, /^.*# or: /gm, '', 'its command stands behind the other'],
  [[...DEB, ...RPM, ...IMAGE], /sudo (?=dpkg|rpm|systemctl|install)/g, '', 'this is root'],
  [['One file'], 'linux-x64', 'linux-{arch}', 'it names one of two processors'],
  [DEB, '_amd64.deb', '_{debian}.deb', 'it names one of two processors'],
  [RPM, '.x86_64.rpm', '.{rpm}.rpm', 'it names one of two processors'],
  [['npm'], / enginebridge$/gm, ' ./{package}', 'it is not published yet'],
  [['Kubernetes'], 'helm install', 'helm template', 'there is no cluster here'],
  [IMAGE, 'docker build -t enginebridge .', 'docker build --network host -t {image} .', 'the engine has no network'],
  [IMAGE, ' --restart unless-stopped', ' --network host', 'the engine has no network'],
  [IMAGE, / enginebridge$/gm, ' {image} serve {inspect}', 'the inspector is looked at, too'],
  [IMAGE, '--name enginebridge', '--name {name}', 'there may be one of that name'],
  [IMAGE, /(?<=-v |%g )\/var\/run\/docker\.sock/g, '{engine}', 'the engine is not the machine’s'],
  [IMAGE, '/srv/enginebridge', '{shared}', 'the engine is not the machine’s'],
]

/** The first `sh` block after a heading or a bold word. */
function block(section: Section): string {
  const found = new RegExp(String.raw`(?:^## |\*\*)${section}.*?^${'```'}sh\n(.*?)^${'```'}$`, 'ms').exec(readme)?.[1]
  if (found === undefined) throw new Error(`README.md has no commands under ${section}`)
  return found
}

/** The commands of a section, with its substitutions applied. */
export function commands(section: Section, names: Readonly<Record<string, string>> = {}): string {
  let text = block(section)
  for (const [, says, done] of SUBSTITUTIONS.filter(([within]) => within.includes(section))) {
    const next = text.replaceAll(says, done)
    if (next === text) throw new Error(`README.md, ${section}, no longer says ${says}: see test/installs/readme.ts`)
    text = next
  }
  return text.replaceAll(/\{([a-z]+)\}/g, (whole, name: string) => names[name] ?? whole)
}

/** The first group of a match in README's text. Throws if there is none. */
export function told(words: RegExp): string {
  const found = words.exec(readme)?.[1]
  if (found === undefined) throw new Error(`README.md no longer says ${words}: see test/installs`)
  return found
}
