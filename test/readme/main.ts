import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { toolFolder } from '../clients/tools.ts'
import { endEngines, startInMemory } from '../live/support/engine-script.ts'
import { eventually } from '../support/client.ts'
import { NODE_FLAGS } from '../support/node-flags.ts'
import { Process } from '../support/processes.ts'
import { picture, type Step } from './svg.ts'

/**
 * `npm run picture`: docs/picture.svg, from a real run: Docker 20.10's command line before an engine that serves 1.44 and newer, without the bridge
 * and with it. What is shown is what the programs said; only the paths of sockets are those that a machine would have.
 */
const ROOT = join(import.meta.dirname, '../..')
const ENGINE = '28.5-min1.44'
const run = promisify(execFile)

const folder = await mkdtemp(join(tmpdir(), 'enginebridge-picture-'))
const [engine, bridge] = [join(folder, 'engine.sock'), join(folder, 'bridge.sock')]
const docker = join(await toolFolder('docker-cli-20.10'), 'bin/docker')

async function step(socket: string, shown: string, ...args: string[]): Promise<Step> {
  const env = { PATH: process.env['PATH'], DOCKER_HOST: `unix://${socket}`, DOCKER_CONFIG: folder }
  const ended = await run(docker, args, { env }).catch((cause: { stdout: string; stderr: string }) => cause)
  const failed = ended instanceof Error
  return { command: `${shown}docker ${args.join(' ')}`, output: `${ended.stdout}${ended.stderr}`.trimEnd(), failed }
}

try {
  await startInMemory(ENGINE, engine)
  const program = new Process([
    ...[process.execPath, ...NODE_FLAGS, join(ROOT, 'src/main.ts'), 'serve', '--audit-log', 'off', '--state', 'off'],
    ...['--listen', `unix://${bridge}`, '--engine', `unix://${engine}`],
  ])
  await eventually(() => /listening/.test(program.err) || !program.alive, 'the bridge serves', 60_000)
  await step(bridge, '', 'run', '-d', '--name', 'web', 'busybox', 'sleep', '600')
  const through = 'DOCKER_HOST=unix:///run/enginebridge.sock '
  const refused = await step(engine, '', 'ps')
  const start: Step = {
    command: 'enginebridge serve --listen unix:///run/enginebridge.sock &',
    output: '',
    failed: false,
  }
  const served = await step(bridge, through, 'ps')
  await program.kill('SIGTERM')
  const steps = [refused, start, served]
  for (const { command, output } of steps) process.stdout.write(`$ ${command}\n${output}\n`)
  if (!refused.failed || served.failed) throw new Error('this is not what the picture is to show')
  await writeFile(
    join(ROOT, 'docs/picture.svg'),
    picture(steps, 'docker ps is refused by the engine, and served through enginebridge'),
  )
} finally {
  endEngines((socket) => socket === engine)
  await rm(folder, { recursive: true, force: true })
}
