import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Asked, succeed } from './command.ts'
import { differ, eventually, holds, NoSuchCommand, type Program, same } from './steps.ts'

export interface ComposeSettings {
  /** The program and what stands before its own arguments. */
  readonly command: readonly [string, ...string[]]
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
  /** The major version: 1 has no `cp`. */
  readonly major: 1 | 2
  readonly fileVersion: '1' | '2.0' | '2.4'
  /** Pinned to 1.24, Compose 2 makes the container again at the second `up`, without a bridge as well (2.40.3 on 28.5). */
  readonly recreates?: true
}

/**
 * Counts until it is told that it was heard. Compose 1 with Python 3 attaches only after the start has been answered
 * (dockerpty 0.4.1, RunOperation.sockets: its `map` is lazy there) and asks for no earlier output, so what a command says
 * at its beginning is lost, without a bridge too: docs/clients.md has the figures.
 */
const COUNTING = 'i=0; until [ -e /told/heard ] || [ $i = 450 ]; do echo $i; i=$((i+1)); sleep 0.1; done; cat /in'

/** From the first thing that is heard to the end nothing is missing. */
function unbroken(said: string): void {
  const lines = said.split('\n')
  const first = Number(lines[0])
  const wanted = [...lines.slice(0, -2).map((_line, i) => `${first + i}`), 'built', '']
  same('run', lines, wanted.length > 2 ? wanted : ['0', ...wanted])
}

const service = (image: string): object => ({
  build: '.',
  image,
  command: ['sh', '-c', 'echo out; exec sleep 600'],
  environment: { COLOUR: 'blue' },
  ports: ['127.0.0.1::80'],
  mem_limit: '64m',
})

function writeProject({ folder, fileVersion }: ComposeSettings, name: string): void {
  mkdirSync(folder, { recursive: true })
  const web = service(`${name}-image`)
  const { image: _named, ...built } = service('') as { image: string } // a file of version 1 has the one or the other
  const file = fileVersion === '1' ? { web: built } : { version: fileVersion, services: { web } }
  writeFileSync(join(folder, 'docker-compose.yml'), JSON.stringify(file))
  writeFileSync(join(folder, 'Dockerfile'), 'FROM busybox\nCOPY in /in\n')
  writeFileSync(join(folder, 'in'), 'built\n')
}

/** Compose: one service, its image built from a folder. */
export function compose(settings: ComposeSettings, name: string): Program {
  writeProject(settings, name)
  const [file, ...first] = settings.command
  const run = (args: readonly string[], asked?: Asked): Promise<string> =>
    succeed(file, [...first, '-p', name, ...args], settings.env, { cwd: settings.folder, ...asked })
  return {
    create: async () => void (await run(['up', '--no-start'])),
    start: async () => {
      await run(['start'])
      const first = await run(['ps', '-q', 'web'])
      await run(['up', '-d'])
      if (settings.recreates !== true) same('the container after up', await run(['ps', '-q', 'web']), first)
    },
    // What it reads of the old container's image is gone from the newest versions: rules/clients.ts.
    recreate: async () => {
      const first = await run(['ps', '-q', 'web'])
      await run(['up', '-d', '--force-recreate', '-t', '0'])
      differ('the container after up --force-recreate', await run(['ps', '-q', 'web']), first)
      holds('exec after it', await run(['exec', '-T', 'web', 'cat', '/in']), 'built\n')
    },
    logs: async () => {
      const logs = (): Promise<string> => run(['logs', '--no-color'])
      holds('logs', await eventually(logs, (said) => said.includes('out')), 'out')
    },
    attach: async () => {
      const told = join(settings.folder, 'told')
      mkdirSync(told)
      const heard = (): void => writeFileSync(join(told, 'heard'), '')
      unbroken(await run(['run', '--rm', '-T', '-v', `${told}:/told`, 'web', 'sh', '-c', COUNTING], { heard }))
    },
    exec: async () => holds('exec', await run(['exec', '-T', 'web', 'cat', '/in']), 'built\n'),
    inspect: async () => {
      same('length of the id', (await run(['ps', '-q', 'web'])).trim().length, 64)
      holds('port', await run(['port', 'web', '80']), '127.0.0.1:')
    },
    events: async () => {
      const watching = run(['events', '--json'], { until: '"start"' })
      let over = false
      const ended = watching.finally(() => {
        over = true
      })
      // There is nothing to be seen of its beginning: it is restarted until it is seen.
      const restarting = async (): Promise<void> => {
        while (!over) await run(['restart', '-t', '0'])
      }
      const [said] = await Promise.all([ended, restarting()])
      holds('events', said, '"action"')
    },
    build: async () => void (await run(['build'])),
    cp: async () => {
      if (settings.major === 1) throw new NoSuchCommand('Compose 1 has no cp')
      await run(['cp', 'web:/in', join(settings.folder, 'got')])
    },
    rm: async () => {
      await run(['down', '-v', '-t', '0', '--rmi', 'all'])
      same('ps afterwards', (await run(['ps', '-q'])).trim(), '')
    },
  }
}
