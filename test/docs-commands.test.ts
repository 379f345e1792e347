import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ERROR_STATUS } from '../src/http/errors.ts'
import { commands, SECTIONS } from './installs/readme.ts'
import { checkCall, ownArguments } from './support/documented-call.ts'
import { shellCommand, shellLines } from './support/shell-words.ts'

const root = join(import.meta.dirname, '..')
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...globSync(['docs/*.md', 'examples/**/*.md'], { cwd: root }),
]
const text = (page: string): string => readFileSync(join(root, page), 'utf8')

/** Files that the pages name by their installed paths. */
const installed = new Map([['/etc/enginebridge/enginebridge.yaml', join(root, 'examples/fleet/enginebridge.yaml')]])

const calls = pages.flatMap((page) =>
  shellLines(text(page)).flatMap((line) => {
    const { env, words } = shellCommand(line)
    const args = ownArguments(words)
    return args === undefined ? [] : [{ page, line: line.trim(), env, words: args }]
  }),
)

describe('commands in the documentation', () => {
  it('are found', () => expect(calls.length).toBeGreaterThan(30))

  it.each(calls)('$page: $line is one that the program takes', async (call) => {
    await checkCall(call, installed)
  })

  it.each([
    ['an unknown flag', 'enginebridge serve --no-such-flag 1'],
    ['a bad value', 'enginebridge serve --audit-mode sometimes'],
    ['a word too many', 'enginebridge serve now'],
    ['an unknown command', 'enginebridge frobnicate'],
    ['an unknown preset', 'enginebridge serve --policy nobody'],
    ['an unknown engine', 'enginebridge audit summary audit.log --engine "Dokker 29"'],
    ['a variable that is not understood', 'CONTAINERS=perhaps enginebridge serve'],
  ])('would not pass with %s', async (_, line) => {
    const { env, words } = shellCommand(line)
    await expect(checkCall({ env, words: ownArguments(words) ?? [] }, installed)).rejects.toThrow()
  })
})

/** The anchor that GitHub makes of a heading. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const links = pages.flatMap((page) =>
  [...text(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target = '']) => ({ page, target })),
)

describe('README', () => {
  it.each(SECTIONS)('has the commands of "%s" that npm run installs runs', (section) => {
    expect(commands(section)).toMatch(/\S/)
  })
})

describe('links in the documentation', () => {
  it.each(links)('$page: $target is there', ({ page, target }) => {
    const [path = '', fragment] = target.split('#')
    const file = path === '' ? page : join(dirname(page), path)
    expect(existsSync(join(root, file)), file).toBe(true)
    if (fragment === undefined) return
    const headings = [...text(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchor(heading))
    expect(headings).toContain(fragment)
  })
})

/** Messages of clients, and the name of a header. */
const OF_OTHERS = [
  'Enginebridge-Loss',
  'is not supported by this client',
  'permission denied while trying to connect',
  'Cannot connect to the Docker daemon',
  'certificate required',
  'EOF',
  'connection reset',
]

const errors = [...text('docs/troubleshooting.md').matchAll(/^### (.*)$/gm)].flatMap(([, heading = '']) =>
  [...heading.matchAll(/`([^`]+)`/g)].map(([, error = '']) => error),
)

describe('errors in the troubleshooting page', () => {
  const sources = globSync(['src/**/*.ts', 'rules/**/*.ts'], { cwd: root }).map(text).join('\n')

  it.each(errors.filter((error) => !OF_OTHERS.some((known) => error.includes(known))))(
    '%s is what the program says',
    (error) => {
      // Runs of plain words: where the page has an address, path, number or name, the source has an expression.
      const said = error
        .split(/ and |rule |unix:\S+|\/\S+/)
        .flatMap((part) => part.match(/[a-z'-]+(?: [a-z'-]+)+/g) ?? [])
      expect(said.length, error).toBeGreaterThan(0)
      for (const part of said) expect(sources.includes(part), part).toBe(true)
    },
  )

  it('names every code of the header Enginebridge-Error that has a text of its own', () => {
    const page = text('docs/troubleshooting.md')
    const explained = [
      'validation',
      'loss',
      'version',
      'forbidden',
      'too-many-requests',
      'internal',
      'endpoint-missing',
    ]
    const engine = [
      'engine-unreachable',
      'engine-broke-off',
      'engine-unknown',
      'audit',
      'busy',
      'draining',
      'engine-timeout',
    ]
    for (const code of [...explained, ...engine]) {
      expect(Object.keys(ERROR_STATUS)).toContain(code)
      expect(page).toContain(`\`${code}\``)
    }
  })
})
