import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Asked, run, succeed } from './command.ts'
import { type Extra, eventually, holds, matches, NoSuchCommand, type Program, same } from './steps.ts'

export interface CliSettings {
  /** The `docker` program. */
  readonly file: string
  readonly socket: string
  /** DOCKER_API_VERSION; undefined leaves it to the negotiation. */
  readonly version: string | undefined
  readonly buildkit: boolean
  /** A folder of its own, for its configuration and its files. */
  readonly folder: string
  /** Where Debian puts buildx and Compose. */
  readonly plugins: string | undefined
}

export function cliEnvironment({ socket, version, buildkit, folder, plugins }: CliSettings): NodeJS.ProcessEnv {
  mkdirSync(folder, { recursive: true })
  // With a login of any kind, no credential helper of this machine is looked for.
  const config = { auths: { 'none.invalid': {} }, ...(plugins === undefined ? {} : { cliPluginsExtraDirs: [plugins] }) }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
  return {
    PATH: process.env['PATH'],
    HOME: folder,
    DOCKER_HOST: `unix://${socket}`,
    DOCKER_CONFIG: folder,
    DOCKER_BUILDKIT: buildkit ? '1' : '0',
    BUILDX_CONFIG: join(folder, 'buildx'),
    ...(version === undefined ? {} : { DOCKER_API_VERSION: version }),
  }
}

const SCRIPT =
  'echo out; echo err >&2; while read line; do echo "got $line"; [ "$line" != bye ] || exit 0; done; sleep 600'

/** The Docker command line. */
export function dockerCli(settings: CliSettings, name: string): Program {
  const env = cliEnvironment(settings)
  const docker = (args: readonly string[], asked?: Asked): Promise<string> => succeed(settings.file, args, env, asked)
  const began = Math.floor(Date.now() / 1000) - 1
  return {
    create: async () => {
      const flags = ['--name', name, '-i', '-m', '64m', '-e', 'COLOUR=blue', '-p', '127.0.0.1::80']
      const id = await docker(['create', ...flags, 'busybox', 'sh', '-c', SCRIPT])
      same('length of the id', id.trim().length, 64)
    },
    start: async () => same('start', await docker(['start', name]), `${name}\n`),
    logs: async () => {
      same('logs -f', await docker(['logs', '-f', name], { until: 'out\n' }), 'out\n')
      const errors = async (): Promise<string> => (await run(settings.file, ['logs', name], env)).stderr
      same('stderr of logs', await eventually(errors, (said) => said !== ''), 'err\n')
    },
    attach: async () => {
      holds('attach', await docker(['attach', name], { input: 'hello\nbye\n' }), 'got hello\n')
      await docker(['start', name]) // bye has ended it
    },
    exec: async () => {
      const ended = await run(settings.file, ['exec', '-i', name, 'sh', '-c', 'cat; exit 3'], env, {
        input: 'inside\n',
      })
      same('exec', [ended.code, ended.stdout], [3, 'inside\n'])
    },
    inspect: async () => {
      const format =
        '{{.State.Status}} {{.HostConfig.Memory}} {{(index (index .NetworkSettings.Ports "80/tcp") 0).HostIp}}'
      same('inspect', await docker(['inspect', '-f', format, name]), `running ${64 << 20} 127.0.0.1\n`)
      same('ps', await docker(['ps', '--filter', `name=${name}`, '--format', '{{.Names}}']), `${name}\n`)
      holds('images', await docker(['images', '--format', '{{.Repository}}']), 'busybox')
    },
    events: async () => {
      const filter = ['--filter', `container=${name}`, '--format', '{{.Action}}']
      const until = String(Math.ceil(Date.now() / 1000) + 1)
      const said = await docker(['events', '--since', String(began), '--until', until, ...filter])
      for (const action of ['create', 'start']) holds('events', said, `${action}\n`)
    },
    build: () => build(docker, settings.folder, `${name}-image`),
    cp: async () => {
      const [given, got] = [join(settings.folder, 'given'), join(settings.folder, 'got')]
      writeFileSync(given, 'carried\n')
      await docker(['cp', given, `${name}:/tmp/given`])
      await docker(['cp', `${name}:/tmp/given`, got])
      same('what was copied', readFileSync(got, 'utf8'), 'carried\n')
    },
    ...furtherCommands(docker, name),
    rm: async () => {
      same('rm', await docker(['rm', '-f', '-v', name]), `${name}\n`)
      const { code, stderr } = await run(settings.file, ['inspect', '--type', 'container', name], env)
      same('inspect afterwards', [code, /no such container/i.test(stderr)], [1, true])
    },
  }
}

/** Judged by what they print: a table of zeros ends with 0 as well. */
function furtherCommands(
  docker: (args: readonly string[]) => Promise<string>,
  name: string,
): Readonly<Partial<Record<Extra, () => Promise<void>>>> {
  const where = (args: readonly string[]): Promise<string> => docker(args).catch(refuseMissing)
  return {
    'system df': async () => {
      const said = await where(['system', 'df', '--format', '{{.Type}}: {{.TotalCount}} {{.Active}} {{.Size}}'])
      matches('system df', said, /^Images: [1-9]\d* [1-9]\d* [1-9]\S*[kMG]B$/m)
      matches('system df', said, /^Containers: [1-9]\d* [1-9]\d* /m)
      holds('system df -v', await where(['system', 'df', '-v']), name)
    },
    'builder prune': async () => {
      const said = await where(['builder', 'prune', '-f', '--keep-storage', '1GB'])
      matches('builder prune', said, /^Total(?: reclaimed space)?:\s+[\d.]+\s?k?B$/m)
    },
    stats: async () => {
      const said = await where(['stats', '--no-stream', '--format', '{{.Container}} {{.MemUsage}} {{.PIDs}}', name])
      matches('stats', said, new RegExp(`^${name} [1-9]\\S*B / 64MiB [1-9]\\d*$`, 'm'))
    },
    'image ls --tree': async () =>
      matches(
        'image ls --tree',
        await where(['image', 'ls', '--tree']),
        /^(?:docker\.io\/library\/)?busybox.* [\da-f]{12} /m,
      ),
  }
}

/** The command line has no such flag, or wants a newer API for it. */
function refuseMissing(cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause)
  if (/unknown flag|requires API version|is not a docker command/.test(why)) throw new NoSuchCommand(why)
  throw cause
}

async function build(docker: (args: readonly string[]) => Promise<string>, folder: string, tag: string): Promise<void> {
  const context = join(folder, 'context')
  mkdirSync(context, { recursive: true })
  writeFileSync(join(context, 'Dockerfile'), 'FROM busybox\nCOPY in /in\nCMD ["cat", "/in"]\n')
  writeFileSync(join(context, 'in'), 'built\n')
  await docker(['build', '-q', '-t', tag, context])
  same('run of what was built', await docker(['run', '--rm', tag]), 'built\n')
  await docker(['rmi', '-f', tag])
}
