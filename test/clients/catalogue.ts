import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENGINE_SCRIPT } from '../live/support/engine-script.ts'
import { run } from './command.ts'
import { type ComposeSettings, compose } from './compose.ts'
import { type CliSettings, cliEnvironment, dockerCli } from './docker-cli.ts'
import { dockerode } from './dockerode.ts'
import { dockerCommand, whyNotReaped, withReaper } from './reaper.ts'
import { recordedCli, recordedDockerode } from './recorded.ts'
import { EXTRAS, type Outcome, perform, type Report, STEPS, type Step } from './steps.ts'
import { pythonPath, toolFolder, versionOf } from './tools.ts'

export interface Place {
  /** The bridge's socket. */
  readonly socket: string
  /** The engine's own. */
  readonly engine: string
  /** A folder of the run's own for this client. */
  readonly folder: string
  /** A name that no other run uses. */
  readonly name: string
}

/** One client at one API version. */
export interface Client {
  readonly product: 'dockerode' | 'docker' | 'docker-py' | 'Compose' | 'testcontainers'
  readonly release: string
  /** The API version it is held to; undefined: it negotiates. */
  readonly api: string | undefined
  readonly note: string
  /** It refuses engines that speak less than this. */
  readonly wants?: string
  run(place: Place): Promise<Report>
  /** On an engine that replays recordings; undefined where the client's calls are not in them. */
  recorded?(place: Place): Promise<Report>
}

/** All steps of a client that runs in a process of its own. */
const WHOLE_MS = 240_000
const PLUGINS = 'libexec/docker/cli-plugins'
const DOCKERODE = ['1.18', '1.19', '1.20', '1.21', '1.22', '1.24', '1.32', '1.41', '1.44', '1.51', '1.52'] as const
const CLI = {
  '20.10': ['1.24', undefined],
  '26.1': ['1.24', '1.32', undefined],
  '28.5': ['1.24', '1.41', '1.44', '1.51', undefined],
} as const
/** No Debian package has 29, so it has to be at hand. 29.0 to 29.2 refuse engines below 1.44 (moby: client.MinAPIVersion). */
const CLI_29 = ['1.44', '1.51', undefined] as const
const WANTED_BY_29 = '1.44'
/** docker-py 7 negotiates with `auto`; 7.2 takes 1.45 where nothing is said. */
const PYTHON = {
  'python-bookworm': ['1.21', '1.24', '1.41'],
  'python-docker-7.1': ['1.24', '1.44'],
  'python-docker-7.2': ['1.45', undefined],
} as const

function installed(name: string): string {
  const path = join(import.meta.dirname, '..', '..', 'node_modules', name, 'package.json')
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}

export async function everyClient(left: (why: string) => void): Promise<Client[]> {
  const groups: [string, () => Promise<Client[]> | Client[]][] = [
    ['dockerode', dockerodeClients],
    ['docker 20.10', () => cliClients('20.10')],
    ['docker 26.1', () => cliClients('26.1')],
    ['docker 28.5', () => cliClients('28.5')],
    ['docker 29, whose paths (with colons) ENGINEBRIDGE_DOCKER_29 says', cli29Clients],
    ['docker-py 5', () => pythonClients('python-bookworm')],
    ['docker-py 7.1', () => pythonClients('python-docker-7.1')],
    ['docker-py 7.2', () => pythonClients('python-docker-7.2')],
    ['Compose 1', compose1Clients],
    ['Compose 2 (trixie)', () => compose2Clients('26.1')],
    ['Compose 2 (sid)', () => compose2Clients('28.5')],
    ['testcontainers', testcontainersClients],
    ['testcontainers with its reaper', reapedClients],
  ]
  const clients: Client[] = []
  for (const [name, find] of groups) {
    try {
      clients.push(...(await find()))
    } catch (cause) {
      left(`${name}: ${cause instanceof Error ? cause.message.split('\n')[0] : String(cause)}`)
    }
  }
  return clients
}

export function dockerodeClients(): Client[] {
  const release = installed('dockerode')
  return DOCKERODE.map((api) => ({
    product: 'dockerode',
    release,
    api,
    note: '',
    run: ({ socket, name }) => perform(dockerode(socket, api, name)),
    recorded: ({ socket }) => perform(recordedDockerode(socket, api)),
  }))
}

export async function cliClients(generation: keyof typeof CLI): Promise<Client[]> {
  const tool = await toolFolder(`docker-cli-${generation}`)
  const client = await cliOf(join(tool, 'bin/docker'), join(tool, PLUGINS))
  const clients = CLI[generation].map((version) => client(version, false))
  return generation === '28.5' ? [...clients, client(undefined, true)] : clients
}

/** With the plugins of 28.5. */
async function cli29Clients(): Promise<Client[]> {
  const files = process.env['ENGINEBRIDGE_DOCKER_29']?.split(':')
  if (files === undefined) throw new Error('it is not set')
  const plugins = join(await toolFolder('docker-cli-28.5'), PLUGINS)
  const found = await Promise.all(files.map((file) => cliOf(file, plugins)))
  return found.flatMap((client) => {
    const clients = [...CLI_29.map((version) => client(version, false)), client(undefined, true)]
    return clients.map((one) => ({ ...one, wants: WANTED_BY_29 }))
  })
}

async function cliOf(
  file: string,
  plugins: string,
): Promise<(version: string | undefined, buildkit: boolean) => Client> {
  const release = await versionOf(file, ['--version'], {})
  return (version, buildkit) => {
    const settings = ({ socket, folder }: Place): CliSettings => ({ file, socket, version, buildkit, folder, plugins })
    return {
      product: 'docker',
      release,
      api: version,
      note: buildkit ? 'BuildKit' : '',
      run: (place) => perform(dockerCli(settings(place), place.name)),
      ...(buildkit ? {} : { recorded: (place) => perform(recordedCli(settings(place))) }),
    }
  }
}

export async function pythonClients(modules: keyof typeof PYTHON): Promise<Client[]> {
  const env = { PATH: process.env['PATH'], PYTHONPATH: await pythonPath(modules) }
  const script = join(import.meta.dirname, 'docker-py.py')
  const release = await versionOf('python3', [script, '-', '-', '-'], env)
  return PYTHON[modules].map((api) => ({
    product: 'docker-py',
    release,
    api,
    note: '',
    run: async ({ socket, name }) =>
      readReport(await run('python3', [script, socket, api ?? 'auto', name], env, { limitMs: WHOLE_MS })),
  }))
}

/** Up to 1.26 the version of the file chose the API version, such as these; 1.29 asks for the engine's own. */
const COMPOSE_1_ROWS = [
  ['1', '1.21'],
  ['2.0', '1.22'],
  ['2.4', '1.35'],
  ['2.4', undefined],
] as const
const COMPOSE_1 = ['-c', 'from compose.cli.main import main; main()'] as const

export async function compose1Clients(): Promise<Client[]> {
  const env = { PATH: process.env['PATH'], PYTHONPATH: await pythonPath('python-bookworm') }
  const release = await versionOf('python3', [...COMPOSE_1, '--version'], env)
  return COMPOSE_1_ROWS.map(([fileVersion, api]) => ({
    product: 'Compose',
    release,
    api,
    note: `file version ${fileVersion}`,
    run: ({ socket, folder, name }) => {
      const pinned = api === undefined ? {} : { COMPOSE_API_VERSION: api }
      const own = { HOME: folder, DOCKER_HOST: `unix://${socket}`, COMPOSE_INTERACTIVE_NO_CLI: '1', ...pinned }
      const command: ComposeSettings['command'] = ['python3', ...COMPOSE_1]
      return perform(compose({ command, env: { ...env, ...own }, folder, major: 1, fileVersion }, name))
    },
  }))
}

export async function compose2Clients(generation: '26.1' | '28.5'): Promise<Client[]> {
  const plugins = join(await toolFolder(`docker-cli-${generation}`), PLUGINS)
  const file = join(plugins, 'docker-compose')
  const release = await versionOf(file, ['version'], {})
  const client = (version: string | undefined, buildkit: boolean): Client => ({
    product: 'Compose',
    release,
    api: version,
    note: buildkit ? 'BuildKit' : '',
    run: ({ socket, folder, name }) => {
      const env = cliEnvironment({ file, socket, version, buildkit, folder, plugins })
      const pinned = version === undefined ? {} : { recreates: true as const }
      return perform(compose({ command: [file], env, folder, major: 2, fileVersion: '2.4', ...pinned }, name))
    },
  })
  const clients = [client('1.24', false), client(undefined, false)]
  return generation === '28.5' ? [...clients, client(undefined, true)] : clients
}

const TESTCONTAINERS = join(import.meta.dirname, 'testcontainers.ts')

const testcontainersFacts = () =>
  ({ product: 'testcontainers', release: installed('testcontainers'), api: undefined }) as const

export function testcontainersClients(): Client[] {
  return [
    {
      ...testcontainersFacts(),
      note: 'without its reaper',
      run: async ({ socket, name }) => {
        const env = { PATH: process.env['PATH'], DOCKER_HOST: `unix://${socket}`, TESTCONTAINERS_RYUK_DISABLED: 'true' }
        return readReport(await run(process.execPath, [TESTCONTAINERS, name], env, { limitMs: WHOLE_MS }))
      },
    },
  ]
}

/** It connects to a published port, so it runs in the engine's network; the reaper mounts the engine's socket, as people have it. */
export function reapedClients(): Client[] {
  if (dockerCommand() === undefined) throw new Error('there is no docker command on this machine')
  return [
    {
      ...testcontainersFacts(),
      note: 'with its reaper',
      run: (place) =>
        withReaper(place, async (bridge, image) => {
          const { engine, name } = place
          const env = {
            PATH: process.env['PATH'],
            DOCKER_HOST: `unix://${bridge.socket}`,
            TESTCONTAINERS_DOCKER_SOCKET_OVERRIDE: '/var/run/docker.sock',
            RYUK_CONTAINER_IMAGE: image,
          }
          const program = ['enter', engine, process.execPath, TESTCONTAINERS, name]
          const report = readReport(await run(ENGINE_SCRIPT, program, env, { limitMs: WHOLE_MS }))
          const why = await whyNotReaped(bridge, engine, `${name}-left`)
          return why === undefined || report.rm.kind === 'fails' ? report : { ...report, rm: { kind: 'fails', why } }
        }),
    },
  ]
}

/** The lines `{"step", "why"?, "kind"?}` of a client that runs in a process of its own. */
function readReport({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }): Report {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
  const said = lines.map((line) => JSON.parse(line) as { step: Step; why?: string; kind?: Outcome['kind'] })
  const outcomeOf = (step: Step): Outcome => {
    const found = said.find((one) => one.step === step)
    if (found === undefined) return { kind: 'fails', why: `ended with ${code}: ${stderr.trim().slice(-300)}` }
    if (found.why === undefined) return { kind: 'works' }
    return { kind: found.kind === 'none' ? 'none' : 'fails', why: found.why }
  }
  const played = [...STEPS, ...EXTRAS.filter((step) => said.some((one) => one.step === step))]
  return Object.fromEntries(played.map((step) => [step, outcomeOf(step)])) as Report // STEPS names every member
}
