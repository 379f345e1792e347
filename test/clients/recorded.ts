import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import Docker from 'dockerode'
import { demultiplex, records } from '../live/support/client.ts'
import { tar, untar } from '../live/support/tar.ts'
import { AFTER_RECORDINGS } from '../replay/exchange.ts'
import { run, succeed } from './command.ts'
import { type CliSettings, cliEnvironment } from './docker-cli.ts'
import { whole } from './dockerode.ts'
import { holds, type Program, same } from './steps.ts'

/** The container, commands and image of the recordings of engine 29: a client must send the recorded calls. */
const NAME = 'rec-min'
const COMMAND = ['sh', '-c', 'echo out; echo err >&2; exec sleep 1000']
const EXEC = ['sh', '-c', 'cat; echo err >&2; exit 3']
const IMAGE = 'rec:built'
const DOCKERFILE = 'FROM busybox\nMAINTAINER m\nRUN true\nCMD ["true"]\n'

/** dockerode on a recorded engine. */
export function recordedDockerode(socketPath: string, version: string): Program {
  const docker = new Docker({ socketPath, version: `v${version}` })
  const minor = Number(version.split('.')[1])
  const container = docker.getContainer(NAME)
  return {
    create: async () => {
      const made = await docker.createContainer({ name: NAME, Image: 'busybox', Cmd: COMMAND })
      same('length of the id', made.id.length, 64)
    },
    start: async () => void (await container.start()),
    logs: async () => {
      const bytes = await container.logs({ stdout: true, stderr: true, timestamps: true, tail: 10, follow: false })
      holds('logs', demultiplex(Buffer.from(bytes)).stdout, ' out\n')
    },
    attach: async () => {
      const stream = await container.attach({ logs: true, stream: false, stdout: true, stderr: true, hijack: true })
      same('attach', demultiplex(await whole(stream)), { stdout: 'out\n', stderr: 'err\n' })
    },
    exec: async () => {
      const asked = { AttachStdin: true, AttachStdout: true, AttachStderr: true, Tty: false }
      const made = await container.exec({ ...asked, Cmd: EXEC })
      const stream = await made.start({ hijack: true, stdin: true, Detach: false, Tty: false })
      stream.end('in\n')
      same('output of exec', demultiplex(await whole(stream)), { stdout: 'in\n', stderr: 'err\n' })
      const { Running, ExitCode } = await made.inspect()
      same('state of exec', { Running, ExitCode }, { Running: false, ExitCode: 3 })
    },
    inspect: () => inspect(docker, container, minor),
    events: async () => {
      const filters = JSON.stringify({ container: [NAME] })
      const seen = records(
        await text(await docker.getEvents({ since: 1, until: AFTER_RECORDINGS, filters })),
      ) as Event[]
      const actions = seen.map((event) => (minor < 52 ? event.status : event.Action))
      for (const action of ['create', 'start']) same(`event ${action}`, actions.includes(action), true)
      if (minor < 52) holds('image of the first event', String(seen[0]?.from), 'busybox')
    },
    build: async () => {
      const context = tar({ Dockerfile: DOCKERFILE })
      const options = { t: IMAGE, rm: true, q: false, nocache: true, networkmode: 'none' }
      const said = await text(await docker.buildImage(Readable.from([context]), options))
      holds('build', said, 'Successfully built')
    },
    cp: async () => {
      const archive = await container.getArchive({ path: '/etc/passwd' })
      holds('what was copied', untar(await whole(archive))['passwd'] ?? '', 'root:x:0:0')
    },
    rm: async () => void (await container.remove({ v: true })),
  }
}

interface Event {
  readonly status?: string
  readonly Action?: string
  readonly from?: string
}

async function inspect(docker: Docker, container: Docker.Container, minor: number): Promise<void> {
  const facts = await container.inspect()
  same('Cmd', facts.Config.Cmd, COMMAND)
  // In the API up to 1.51, but no longer in the types.
  if (minor < 52) holds('IPAddress', String(Reflect.get(facts.NetworkSettings, 'IPAddress')), '.')
  const image = await docker.getImage('busybox').inspect()
  if (minor < 44) same('VirtualSize of the image', image.VirtualSize, image.Size)
  if (minor < 45) same('type of ContainerConfig', typeof image.ContainerConfig, 'object')
}

/** The Docker command line on a recorded engine. */
export function recordedCli(settings: CliSettings): Program {
  const env = cliEnvironment(settings)
  const docker = (args: readonly string[], input?: string): Promise<string> =>
    succeed(settings.file, args, env, input === undefined ? {} : { input })
  return {
    create: async () =>
      same('length of the id', (await docker(['create', '--name', NAME, 'busybox', ...COMMAND])).trim().length, 64),
    start: async () => same('start', await docker(['start', NAME]), `${NAME}\n`),
    logs: async () => holds('logs', await docker(['logs', '-t', '-n', '10', NAME]), ' out\n'),
    attach: async () => {
      // The client also waits for the container's end, which was recorded with exit code 137.
      const { code, stdout } = await run(settings.file, ['attach', '--no-stdin', NAME], env)
      same('attach', [code, stdout], [137, 'out\n'])
    },
    exec: async () => {
      const { code, stdout, stderr } = await run(settings.file, ['exec', '-i', NAME, ...EXEC], env, { input: 'in\n' })
      same('exec', [code, stdout, stderr], [3, 'in\n', 'err\n'])
    },
    inspect: async () => {
      same('inspect', await docker(['inspect', '-f', '{{.Name}} {{.Config.Image}}', NAME]), `/${NAME} busybox\n`)
      holds('ps', await docker(['ps', '-a', '--format', '{{.Names}}']), `${NAME}\n`)
      holds('images', await docker(['images', '--format', '{{.Repository}}']), 'busybox')
    },
    events: async () => {
      const filter = ['--filter', `container=${NAME}`, '--format', '{{.Action}}']
      const said = await docker(['events', '--since', '1', '--until', String(AFTER_RECORDINGS), ...filter])
      for (const action of ['create', 'start']) holds('events', said, `${action}\n`)
    },
    build: async () => {
      const context = join(settings.folder, 'context')
      mkdirSync(context, { recursive: true })
      writeFileSync(join(context, 'Dockerfile'), DOCKERFILE)
      holds('build', await docker(['build', '--no-cache', '-t', IMAGE, context]), 'Successfully built')
    },
    cp: async () => holds('what was copied', await docker(['cp', `${NAME}:/etc/passwd`, '-']), 'root:x:0:0'),
    rm: async () => same('rm', await docker(['rm', '-v', NAME]), `${NAME}\n`),
  }
}
