import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import Docker from 'dockerode'
import { demultiplex, records } from '../live/support/client.ts'
import { tar, untar } from '../live/support/tar.ts'
import { type Extra, eventually, holds, type Program, same } from './steps.ts'

interface Copying {
  copy(options: object): Promise<NodeJS.ReadableStream>
}

export async function whole(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

const SCRIPT =
  'echo out; echo err >&2; while read line; do echo "got $line"; [ "$line" != bye ] || exit 0; done; sleep 600'

const SETTINGS = {
  Memory: 64 << 20,
  Dns: ['192.0.2.53'],
  PortBindings: { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '' }] },
}

/** dockerode, pinned to one API version, as programs of that version's time used it. */
export function dockerode(socketPath: string, version: string, name: string): Program {
  const docker = new Docker({ socketPath, version: `v${version}` })
  const minor = Number(version.split('.')[1])
  const container = docker.getContainer(name)
  const began = Math.floor(Date.now() / 1000) - 1
  return {
    create: async () => {
      const made = await docker.createContainer({
        name,
        Image: 'busybox',
        Cmd: ['sh', '-c', SCRIPT],
        Env: ['COLOUR=blue'],
        ExposedPorts: { '80/tcp': {} },
        OpenStdin: true,
        AttachStdin: true,
        AttachStdout: true,
        AttachStderr: true,
        HostConfig: SETTINGS,
      })
      same('length of the id', made.id.length, 64)
    },
    // Up to 1.23, programs sent the HostConfig with the start of a container; many sent it with the create too.
    start: async () => {
      await (minor < 23 ? container.start(SETTINGS as object) : container.start())
    },
    logs: async () => {
      const said = await eventually(
        async () => demultiplex(Buffer.from(await container.logs({ stdout: true, stderr: true, follow: false }))),
        ({ stdout, stderr }) => stdout !== '' && stderr !== '',
      )
      same('logs', said, { stdout: 'out\n', stderr: 'err\n' })
    },
    attach: () => attach(container),
    exec: () => exec(container),
    inspect: () => inspect(docker, container, minor),
    events: () => events(docker, name, began, minor),
    build: () => build(docker, `${name}-image`),
    cp: () => (minor < 20 ? copyOut(container) : copy(container)),
    ...furtherCalls(docker, container, minor),
    rm: async () => {
      await container.remove({ force: true, v: true })
      const status = await container.inspect().then(
        () => 200,
        (cause: { statusCode?: number }) => cause.statusCode,
      )
      same('status of its inspect', status, 404)
    },
  }
}

/** The extra steps that the API of its version has. */
function furtherCalls(
  docker: Docker,
  container: Docker.Container,
  minor: number,
): Readonly<Partial<Record<Extra, () => Promise<void>>>> {
  return {
    ...(minor >= 25 && {
      'system df': async () => {
        const usage: Usage = await docker.df()
        const { Id } = await container.inspect()
        // Clients from 1.52 on read only the usage.
        if (minor < 52)
          same(
            'its container',
            usage.Containers?.some((one) => one.Id === Id),
            true,
          )
        else same('running containers', (usage.ContainerUsage?.ActiveCount ?? 0) > 0, true)
      },
    }),
    ...(minor >= 31 && {
      'builder prune': async () => same('reclaimed', typeof (await docker.pruneBuilder()).SpaceReclaimed, 'number'),
    }),
    ...(minor >= 19 && {
      stats: async () => {
        const { cpu_stats } = await container.stats({ stream: false })
        same('processor time', cpu_stats.cpu_usage.total_usage > 0, true)
      },
    }),
  }
}

interface Usage {
  readonly Containers?: readonly { readonly Id: string }[]
  readonly ContainerUsage?: { readonly ActiveCount: number }
}

async function attach(container: Docker.Container): Promise<void> {
  const stream = await container.attach({ stream: true, stdin: true, stdout: true, stderr: true, hijack: true })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error('attach: no echo within 30 s')), 30_000)
  let said = ''
  stream.on('data', (piece: Buffer) => {
    said += piece.toString('latin1')
    if (said.includes('got hello\n')) resolve()
  })
  stream.write('hello\n')
  await promise.finally(() => clearTimeout(timer))
  stream.end()
}

async function exec(container: Docker.Container): Promise<void> {
  const made = await container.exec({ Cmd: ['sh', '-c', 'cat; exit 3'], AttachStdin: true, AttachStdout: true })
  const stream = await made.start({ hijack: true, stdin: true })
  stream.write('inside\n')
  stream.end()
  same('output of exec', demultiplex(await whole(stream)).stdout, 'inside\n')
  const { Running, ExitCode } = await made.inspect()
  same('state of exec', { Running, ExitCode }, { Running: false, ExitCode: 3 })
}

/** Checks members that programs of that version read from inspects and lists and that newer engines no longer send. */
async function inspect(docker: Docker, container: Docker.Container, minor: number): Promise<void> {
  const facts = await container.inspect()
  same('Env', facts.Config.Env.includes('COLOUR=blue'), true)
  same('Memory', facts.HostConfig.Memory, 64 << 20)
  same('running', facts.State.Running, true)
  same('bound port', facts.NetworkSettings.Ports['80/tcp']?.[0]?.HostIp, '127.0.0.1')
  // In the API up to 1.51, but no longer in the types.
  if (minor < 52) holds('IPAddress', String(Reflect.get(facts.NetworkSettings, 'IPAddress')), '.')
  same('Dns', facts.HostConfig.Dns, SETTINGS.Dns)
  const image = await docker.getImage('busybox').inspect()
  if (minor < 44) same('VirtualSize of the image', image.VirtualSize, image.Size)
  if (minor < 45) same('type of ContainerConfig', typeof image.ContainerConfig, 'object')
  const [listed] = await docker.listContainers({ filters: JSON.stringify({ id: [facts.Id] }) })
  same('name in the list', listed?.Names, [facts.Name])
  same('type of Size in the list of images', typeof (await docker.listImages())[0]?.Size, 'number')
}

async function events(docker: Docker, name: string, since: number, minor: number): Promise<void> {
  const filters = JSON.stringify({ container: [name] })
  const until = Math.ceil(Date.now() / 1000) + 1 // Podman sends few events up to a moment in the past
  const stream = await docker.getEvents({ since, until, filters })
  const seen = records(await text(stream)) as Record<string, unknown>[]
  // `status` carried the action up to 1.51; since 1.22 there is `Action`.
  const actions = seen.map((event) => (minor < 52 ? event['status'] : event['Action']))
  for (const action of ['create', 'start']) same(`event ${action}`, actions.includes(action), true)
  if (minor < 52) holds('image of the first event', String(seen[0]?.['from']), 'busybox')
}

async function build(docker: Docker, tag: string): Promise<void> {
  const context = tar({ Dockerfile: 'FROM busybox\nCOPY in /in\nCMD ["cat", "/in"]\n', in: 'built\n' })
  const output = await docker.buildImage(Readable.from([context]), { t: tag })
  const said = await text(output)
  same('error in the build', /"error"/.test(said) ? said : undefined, undefined)
  const image = docker.getImage(tag)
  same('Cmd of what was built', (await image.inspect()).Config.Cmd, ['cat', '/in'])
  await image.remove({ force: true })
}

async function copy(container: Docker.Container): Promise<void> {
  await container.putArchive(tar({ 'in.txt': 'carried\n' }), { path: '/tmp' })
  const archive = await container.getArchive({ path: '/tmp/in.txt' })
  same('what was copied', untar(await whole(archive)), { 'in.txt': 'carried\n' })
}

/** Before 1.20, files could only be copied out. */
async function copyOut(container: Docker.Container): Promise<void> {
  const copying: Copying = container as Docker.Container & Copying // missing from the types since it left the API
  const archive = await copying.copy({ Resource: '/etc/passwd' })
  holds('what was copied', untar(await whole(archive))['passwd'] ?? '', 'root:x:0:0')
}
