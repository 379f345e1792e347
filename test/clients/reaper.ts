import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LiveBridge } from '../live/support/bridge.ts'
import { Client as Wire } from '../live/support/client.ts'
import { succeed } from './command.ts'
import { eventually } from './steps.ts'

/**
 * What stands for testcontainers/ryuk, whose image no registry gives here: busybox's nc speaks its protocol on port 8080 (a line for
 * each filter, answered by ACK; when the client is gone, what the filters fit is removed), and Docker's own command line looks for and
 * removes containers at /var/run/docker.sock, as ryuk does. `ENGINEBRIDGE_RYUK` is the path of a real one, linked statically.
 */
const SESSION = `#!/bin/sh
while read -r line; do
  line=$(echo "$line" | tr -d '\\r')
  [ -z "$line" ] && continue
  echo "$line" >>/filters
  echo ACK
done
while read -r filter; do
  for id in $(/docker ps -aq --filter "$filter" | grep -v "$(hostname)"); do /docker rm -fv "$id" >>/removed 2>&1; done
done </filters
touch /done
`
/** Says that it has started when it listens: port 8080 is 1F90, state LISTEN 0A. */
const REAPER = `#!/bin/sh
nc -ll -p 8080 -e /session &
until cat /proc/net/tcp /proc/net/tcp6 | grep -q ':1F90 .* 0A '; do sleep 0.05; done
echo Started
until [ -e /done ]; do sleep 0.1; done
cat /removed
`

/** The machine's docker command, which has to run in a container without libraries. */
export function dockerCommand(): string | undefined {
  const file = spawnSync('sh', ['-c', 'command -v docker'], { encoding: 'utf8' }).stdout.trim()
  return file === '' ? undefined : file
}

/** Builds the reaper's image on an engine. */
async function buildReaper(engine: string, name: string, folder: string): Promise<void> {
  const docker = dockerCommand()
  if (docker === undefined) throw new Error('there is no docker command on this machine')
  mkdirSync(folder, { recursive: true })
  const real = process.env['ENGINEBRIDGE_RYUK']
  const add = (file: string, text: string): void => writeFileSync(join(folder, file), text, { mode: 0o755 })
  if (real === undefined) {
    copyFileSync(docker, join(folder, 'docker'))
    add('session', SESSION)
    add('reaper', REAPER)
  } else copyFileSync(real, join(folder, 'reaper'))
  chmodSync(join(folder, real === undefined ? 'docker' : 'reaper'), 0o755)
  const from = real === undefined ? 'FROM busybox\nCOPY docker session reaper /\n' : 'FROM scratch\nCOPY reaper /\n'
  writeFileSync(join(folder, 'Dockerfile'), `${from}LABEL org.testcontainers.ryuk=true\nCMD ["/reaper"]\n`)
  const env = { PATH: process.env['PATH'], HOME: folder, DOCKER_HOST: `unix://${engine}`, DOCKER_BUILDKIT: '0' }
  await succeed(docker, ['build', '-q', '-t', name, folder], env, { limitMs: 120_000 })
  rmSync(folder, { recursive: true })
}

/** A bridge that gives containers its own socket, with the reaper's image on its engine. */
export async function withReaper<T>(
  { engine, folder, name }: { readonly engine: string; readonly folder: string; readonly name: string },
  body: (bridge: LiveBridge, image: string) => Promise<T>,
): Promise<T> {
  const image = `${name}-reaper:latest`
  await buildReaper(engine, image, join(folder, 'reaper'))
  const bridge = new LiveBridge(join(folder, 'follow.sock'), engine, ['--socket-mounts', 'follow'])
  const wire = Wire.ofEngine(engine)
  try {
    await bridge.ready()
    return await body(bridge, image)
  } finally {
    await bridge.stop()
    const label = encodeURIComponent(JSON.stringify({ ancestor: [image] }))
    for (const { Id } of JSON.parse((await wire.get(`/containers/json?all=1&filters=${label}`)).text))
      await wire.delete(`/containers/${Id}?force=1`)
    await wire.delete(`/images/${image}?force=1`)
  }
}

/** Why what the client left behind was not removed by the reaper, through the bridge; undefined: it was. */
export async function whyNotReaped(bridge: LiveBridge, engine: string, left: string): Promise<string | undefined> {
  const wire = Wire.ofEngine(engine)
  const there = async (): Promise<boolean> => (await wire.get(`/containers/${left}/json`)).status !== 404
  if (await eventually(there, (is) => !is)) return `the reaper left ${left}`
  const removals = bridge.audit().filter(({ operation }) => operation === 'ContainerDelete')
  const removed = removals.some(({ userAgent }) => !String(userAgent).startsWith('tc-node/'))
  return removed ? undefined : `${left} was removed past the bridge`
}
