import { asJson, memberAt, stringOf } from '../../api/json/json.ts'
import type { Asking, Got } from './client.ts'

/** One step of the session: its description, the call, and the statuses that a client of that version expects. */
export interface Step {
  readonly title: string
  readonly asking: Asking
  readonly expected: readonly number[]
}

export interface Scene {
  readonly image: string
  readonly name: string
}

/** Yields the steps in order; receives the response of each. */
export type Script = Generator<Step, void, Got>

const MEMORY = 64 << 20

/**
 * A typical session of a client of `version`. At 1.18 limits are at the top level of the create body, `Entrypoint` is
 * one string, start sends settings, and exec hijacks without Upgrade.
 */
export function* session(version: '1.18' | '1.22', { image, name }: Scene): Script {
  const at = (path: string): string => `/v${version}${path}`
  const old = version === '1.18'
  const since = Math.floor(Date.now() / 1000)
  const command = { Image: image, Entrypoint: 'sh', Cmd: ['-c', 'echo out; echo err >&2; exec sleep 1000'] }
  const limits = { Memory: MEMORY, CpuShares: 512 }
  const created = yield {
    title: old ? 'create a container, limits at the top' : 'create a container',
    asking: {
      method: 'POST',
      url: at(`/containers/create?name=${name}`),
      body: old ? { ...command, ...limits } : { ...command, HostConfig: limits },
    },
    expected: [201],
  }
  const id = idIn(created)
  yield {
    title: old ? 'start it, with a HostConfig' : 'start it',
    asking: {
      method: 'POST',
      url: at(`/containers/${name}/start`),
      ...(old ? { body: { ...limits, RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 } } } : {}),
    },
    expected: [204],
  }
  const filters = encodeURIComponent(JSON.stringify({ name: [name] }))
  yield get('list', at(`/containers/json?filters=${filters}`))
  yield get('inspect', at(`/containers/${name}/json`))
  yield get('logs', at(`/containers/${name}/logs?stdout=1&stderr=1`))
  yield* exec(version, at, name)
  yield get('ask for what is not there', at(`/containers/${name}-nonesuch/json`), 404)
  const until = Math.ceil(Date.now() / 1000)
  const about = encodeURIComponent(JSON.stringify({ container: [id] }))
  yield get('events', at(`/events?since=${since}&until=${until}&filters=${about}`))
  yield { title: 'kill it', asking: { method: 'POST', url: at(`/containers/${name}/kill`) }, expected: [204] }
  yield { title: 'wait for it', asking: { method: 'POST', url: at(`/containers/${name}/wait`) }, expected: [200] }
  yield { title: 'remove it', asking: { method: 'DELETE', url: at(`/containers/${name}`) }, expected: [204] }
}

function* exec(version: '1.18' | '1.22', at: (path: string) => string, name: string): Script {
  const created = yield {
    title: 'create an exec',
    asking: {
      method: 'POST',
      url: at(`/containers/${name}/exec`),
      body: { AttachStdin: true, AttachStdout: true, AttachStderr: true, Cmd: ['cat'] },
    },
    expected: [201],
  }
  const id = idIn(created)
  const old = version === '1.18'
  yield {
    title: old ? 'start the exec, taking the connection over unasked' : 'start the exec, with Upgrade',
    asking: {
      method: 'POST',
      url: at(`/exec/${id}/start`),
      body: { Detach: false, Tty: false },
      input: `hello from ${version}\n`,
      upgrade: !old,
    },
    expected: old ? [200] : [101],
  }
  yield get('inspect the exec', at(`/exec/${id}/json`))
}

const get = (title: string, url: string, status = 200): Step => ({
  title,
  asking: { method: 'GET', url },
  expected: [status],
})

/** Empty in an error: the next calls show the effect. */
const idIn = ({ body }: Got): string => stringOf(memberAt(asJson(body.toString()), 'Id'))
