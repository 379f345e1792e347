import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer, Wait } from 'testcontainers'
import { untar } from '../live/support/tar.ts'
import { NoSuchCommand, type Program, perform, same } from './steps.ts'

/**
 * Says it again and again: after a restart testcontainers waits for what is logged from the container's `StartedAt` on, and
 * engines note that moment when the process already runs. Said once, it came 0.1 to 4 ms too early on 20.10 (10 of 12).
 */
const SAYING = 'while :; do echo out; sleep 0.2; done'

/**
 * testcontainers. It reads DOCKER_HOST once a process, so it runs in one of its own: `node testcontainers.ts NAME`, a line of
 * JSON for each step. With its reaper it leaves a container, NAME-left, for that one.
 */
function testcontainers(name: string): Program {
  let started: StartedTestContainer | undefined
  const running = (): StartedTestContainer => {
    if (started === undefined) throw new Error('it did not start')
    return started
  }
  const none = (what: string) => async (): Promise<void> => {
    throw new NoSuchCommand(`testcontainers has no ${what}`)
  }
  return {
    create: async () => {
      started = await new GenericContainer('busybox')
        .withName(name)
        .withCommand(['sh', '-c', SAYING])
        .withEnvironment({ COLOUR: 'blue' })
        .withWaitStrategy(Wait.forLogMessage('out'))
        .start()
    },
    start: async () => {
      await running().restart()
    },
    logs: async () => {
      const stream = await running().logs()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const timer = setTimeout(() => reject(new Error('no logs within 30 s')), 30_000)
      stream.on('data', (line) => (String(line).includes('out') ? resolve() : undefined))
      await promise.finally(() => clearTimeout(timer))
    },
    attach: none('attach'),
    exec: async () => {
      const { output, exitCode } = await running().exec(['sh', '-c', 'echo $COLOUR; exit 3'])
      same('exec', [output, exitCode], ['blue\n', 3])
    },
    inspect: async () => {
      const client = await getContainerRuntimeClient()
      const facts = await client.container.inspect(client.container.getById(running().getId()))
      same('running', facts.State.Running, true)
    },
    events: none('events'),
    build: () => build(`${name}-image`),
    cp: async () => {
      await running().copyContentToContainer([{ content: 'carried\n', target: '/tmp/given' }])
      const archive = await running().copyArchiveFromContainer('/tmp/given')
      const bytes = Buffer.from(await text(archive), 'utf8')
      same('what was copied', Object.values(untar(bytes)), ['carried\n'])
    },
    rm: async () => {
      await running().stop({ timeout: 0 })
      if (process.env['TESTCONTAINERS_RYUK_DISABLED'] !== 'true')
        await new GenericContainer('busybox').withName(`${name}-left`).withCommand(['sleep', '600']).start()
    },
  }
}

async function build(tag: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'eb-tc-'))
  writeFileSync(join(folder, 'Dockerfile'), 'FROM busybox\nCMD ["sh", "-c", "echo built; exec sleep 600"]\n')
  const image = await GenericContainer.fromDockerfile(folder).build(tag, { deleteOnExit: false })
  const container = await image.withWaitStrategy(Wait.forLogMessage('built')).start()
  await container.stop({ timeout: 0 })
  const client = await getContainerRuntimeClient()
  await client.container.dockerode.getImage(tag).remove({ force: true })
}

const [name] = process.argv.slice(2)
if (import.meta.main && name !== undefined) {
  await perform(testcontainers(name), (step, outcome) => {
    process.stdout.write(`${JSON.stringify({ step, ...outcome })}\n`) // at once: what comes after may hang
  })
  process.exit(0)
}
