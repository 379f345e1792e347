import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Asked, succeed } from './command.ts'
import { holds, NoSuchCommand, type Program, same } from './steps.ts'

export interface ComposeSettings {
  /** The program and what stands before its own arguments. */
  readonly command: readonly [string, ...string[]]
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
  /** The major version: 1 has no `cp`. */
  readonly major: 1 | 2
  /** Compose 1 chooses the API version by that of its file: '1' 1.21, '2.0' 1.22, '2.4' 1.35. */
  readonly fileVersion: '1' | '2.0' | '2.4'
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
    start: async () => void (await run(['start'])),
    logs: async () => {
      await sleep(300)
      holds('logs', await run(['logs', '--no-color']), 'out')
    },
    attach: async () => {
      const once = (): Promise<string> => run(['run', '--rm', '-T', 'web', 'sh', '-c', 'cat /in; sleep 1'])
      let said = await once()
      // Compose 1 with its input at the end shows nothing every other time, 4 of 6 without a bridge and 4 of 6 with one.
      for (let left = 6; settings.major === 1 && said === '' && left > 0; left--) said = await once()
      holds('run', said, 'built\n')
    },
    exec: async () => holds('exec', await run(['exec', '-T', 'web', 'cat', '/in']), 'built\n'),
    inspect: async () => {
      same('length of the id', (await run(['ps', '-q', 'web'])).trim().length, 64)
      holds('port', await run(['port', 'web', '80']), '127.0.0.1:')
    },
    events: async () => {
      const watching = run(['events', '--json'], { until: '"start"' })
      await sleep(1500) // there is nothing to be seen of its beginning
      const [said] = await Promise.all([watching, run(['restart', '-t', '0'])])
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
