import { execFile, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { startFakeEngine } from '../src/tools/fake-engine/engine.ts'
import { stages } from './support/bridge.ts'
import { call } from './support/client.ts'
import { dockerCommand } from './support/docker-command.ts'
import { ownArguments } from './support/documented-call.ts'
import { shellCommand, shellLines } from './support/shell-words.ts'

/** Commands of the pages that are not the program's own: run before a bridge, or on the list of those that are not. */
const root = join(import.meta.dirname, '..')
const pages = ['*.md', 'docs/*.md', 'examples/**/*.md'].flatMap((pattern) => globSync(pattern, { cwd: root }))
const lines = pages.flatMap((page) =>
  shellLines(readFileSync(join(root, page), 'utf8')).flatMap((line) => {
    const { words } = shellCommand(line)
    return words.length === 0 || ownArguments(words) !== undefined ? [] : [{ page, line: line.trim() }]
  }),
)

/** Not run here, and why. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/^npm test\b/, 'this is a part of it'],
  [/^npm run (?:quick|docs)\b/, 'the first is a part of npm test, the second writes pages'],
  [/^npm start\b/, 'it serves until it is ended; test/journeys/program.slow.test.ts starts the program'],
  [/^ssh -L/, 'wants another machine'],
  [/ docker compose up -d/, 'what is in a folder of the reader’s: npm run clients plays Compose'],
  [/^docker --host tcp:.*--tlsverify/, 'wants certificates: test/transport/docker-cli.test.ts runs it with some'],
  [/^docker build -t enginebridge/, 'test/live/dockerfile.test.ts builds it, and it takes minutes'],
  [
    /^(?:GID=|sudo install |docker run -d --name enginebridge )/,
    'wants that image: test/live/dockerfile.test.ts runs this very line',
  ],
  [
    /^(?:tar -xzf |\.\/|sudo (?:dpkg|systemctl) |npm install -g |helm )/,
    'installs the files of a release, which npm run package makes in minutes',
  ],
  [/^docker compose -f examples\//, 'wants images of registries: test/live/examples.test.ts runs it with others'],
]

const execute = promisify(execFile)
const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0
const docker = await dockerCommand()
const programs = ['curl', docker ?? 'docker'].filter((name) => !has(name))
if (programs.length > 0) process.stderr.write(`\n*** SKIPPED: documented commands: no ${programs.join(', ')} ***\n\n`)

describe('commands of others in the documentation', () => {
  const stage = stages()
  const runs = lines.filter(({ line }) => !ELSEWHERE.some(([pattern]) => pattern.test(line)))

  it.skipIf(programs.length > 0).each(runs)('$page: $line', async ({ line }) => {
    const engine = await startFakeEngine(join(stage.folder(), 'engine.sock'))
    const { socket, inspect } = await stage.bridge(engine.path, ['--inspect', 'tcp://127.0.0.1:0'])
    await call(socket, '/v1.22/info')
    const command = line
      .replaceAll('http://127.0.0.1:9117', new URL(inspect?.url ?? '').origin)
      .replace('/api/calls/17', '/api/calls/1')
      .replace('curl -N', 'timeout 2 curl -N') // the feed goes on
      .replace(/ -o \S+$/, '')
      .replaceAll('/run/enginebridge.sock', socket)
      .replaceAll(/\/(?:run|srv)\/enginebridge\/docker\.sock/g, socket)
      .replaceAll('/var/run/docker.sock', engine.path)
      .replace('bridge.sock', (name, at: number, whole: string) => (whole[at - 1] === ' ' ? socket : name))
      .replace('engine.sock', (name, at: number, whole: string) => (whole[at - 1] === ' ' ? engine.path : name))
      .replace('the-old-client …', 'the-old-client ps')
      .replace('the-old-client', 'DOCKER_API_VERSION=1.24 docker')
    const env = { PATH: `${process.env['PATH']}:${dirname(docker ?? '')}`, HOME: stage.folder(), TOKEN: inspect?.token }
    const options = { cwd: stage.folder(), env, timeout: 60_000 }
    const { stdout } = await execute('bash', ['-euc', command], options).catch(
      (cause: { stdout: string; code: number }) =>
        command.startsWith('timeout ') && cause.code === 124 ? cause : Promise.reject(cause),
    )
    if (line.includes('/api/')) expect(stdout).not.toContain('"message"')
    await engine.close()
    if (!line.startsWith('export ')) expect(stdout.trim()).not.toBe('')
  })

  it('are some', () => expect(runs.length).toBeGreaterThan(8))

  it.each(ELSEWHERE)('%s stands in a page, and is not run: %s', (pattern) => {
    expect(lines.filter(({ line }) => pattern.test(line))).not.toEqual([])
  })
})
