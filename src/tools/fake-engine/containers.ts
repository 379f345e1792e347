import { once } from 'node:events'
import { isUnset, objectOf } from '../../api/json/json.ts'
import { hasLabel, isTrue } from '../../translate/ops.ts'
import { PID } from './process.ts'
import { inspectContainer, listedContainer } from './render.ts'
import { type Container, type Handlers, texts } from './store.ts'
import { EngineError, filterOf, openStream, readAll, readJson, send, sendJson } from './wire.ts'

const LIST_FILTERS = {
  id: ({ id }: Container, value: string) => id.startsWith(value),
  label: ({ config }: Container, value: string) => hasLabel(config['Labels'], value),
  name: ({ name }: Container, value: string) => name.includes(value.replace(/^\//, '')),
  status: ({ status }: Container, value: string) => status === value,
}

const [SIGKILL, SIGTERM] = [9, 15]

export const containers: Handlers = {
  ContainerList: ({ res, query, store, version }) => {
    const everything = isTrue(query.get('all')) || (query.get('filters') ?? '').includes('"status"')
    const found = store.containers.filter(({ process }) => everything || process.running)
    const shown = found.filter(filterOf(query, LIST_FILTERS)).map((one) => listedContainer(one, version))
    sendJson(res, 200, shown)
  },

  ContainerCreate: async ({ req, res, query, store }) => {
    const { id } = store.create((query.get('name') ?? '').replace(/^\//, ''), await readJson(req))
    sendJson(res, 201, { Id: id, Warnings: [] })
  },

  ContainerInspect: ({ res, target, store, version }) =>
    sendJson(res, 200, inspectContainer(store.container(target), version)),

  /** Only `{}` and `null` are allowed: other bodies were a HostConfig once (moby CHANGELOG v1.24). */
  ContainerStart: async ({ req, res, target, store }) => {
    const container = store.container(target)
    const text = (await readAll(req)).toString().trim()
    if (!['', '{}', 'null'].includes(text)) {
      const message =
        'starting container with non-empty request body was deprecated since API v1.22 and removed in v1.24'
      throw new EngineError(400, message)
    }
    const runs = container.process.running
    if (!runs) container.start()
    send(res, runs ? 304 : 204)
  },

  /** Every signal ends it. */
  ContainerKill: ({ res, target, store }) => {
    const container = store.container(target)
    container.checkRunning()
    container.kill(SIGKILL)
    send(res, 204)
  },

  ContainerStop: ({ res, target, store }) => {
    const container = store.container(target)
    const runs = container.process.running
    if (runs) {
      container.kill(SIGTERM)
      container.happened('stop')
    }
    send(res, runs ? 204 : 304)
  },

  /** Sends the head before the container has ended: clients start the container only then. */
  ContainerWait: async ({ res, target, query, store }) => {
    const { process } = store.container(target)
    openStream(res, 'application/json')
    const waits = process.running || (!process.started && /next-exit|removed/.test(query.get('condition') ?? ''))
    if (waits) await Promise.race([once(process, 'exited'), once(res, 'close')])
    res.end(`${JSON.stringify({ StatusCode: process.exitCode ?? 0 })}\n`)
  },

  /** Set members of the body replace the container's. */
  ContainerUpdate: async ({ req, res, target, store }) => {
    const container = store.container(target)
    const wanted = Object.entries(objectOf(await readJson(req)))
    Object.assign(container.hostConfig, Object.fromEntries(wanted.filter(([, value]) => !isUnset(value))))
    container.happened('update')
    sendJson(res, 200, { Warnings: null })
  },

  ContainerDelete: ({ res, target, query, store }) => {
    const container = store.container(target)
    const runs = container.process.running
    if (runs && !isTrue(query.get('force'))) {
      const advice = 'stop the container before removing or force remove'
      throw new EngineError(409, `cannot remove container "${container.name}": container is running: ${advice}`)
    }
    if (runs) container.kill(SIGKILL)
    store.remove(container)
    send(res, 204)
  },

  ContainerExec: async ({ req, res, target, store }) => {
    const { id } = store.container(target).createExec(objectOf(await readJson(req)))
    sendJson(res, 201, { Id: id })
  },

  ExecInspect: ({ res, target, store }) => {
    const { id, container, config, process } = store.exec(target)
    const [entrypoint = '', ...args] = texts(config['Cmd'])
    const on = (name: string): boolean => config[name] === true
    sendJson(res, 200, {
      ...{ ID: id, Running: process.running, ExitCode: process.exitCode ?? null },
      ProcessConfig: { tty: on('Tty'), entrypoint, arguments: args, privileged: on('Privileged') },
      ...{ OpenStdin: on('AttachStdin'), OpenStderr: on('AttachStderr'), OpenStdout: on('AttachStdout') },
      ...{ CanRemove: false, ContainerID: container.id, DetachKeys: '', Pid: process.started ? PID : 0 },
    })
  },
}
