import type { Asking } from './client.ts'

/** A call of the session. In its URL, CONTAINER and EXEC are ids that were answered, SINCE and NOW are times. */
export interface Step extends Asking {
  readonly title: string
  /** The status that a client of that version expects. */
  readonly status: number
  /** The name under which later calls use the id of the response. */
  readonly makes?: 'CONTAINER' | 'EXEC'
}

const LIMITS = { Memory: 64 << 20, CpuShares: 512 }
const START = { ...LIMITS, RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 } }
const CAT = { AttachStdin: true, AttachStdout: true, AttachStderr: true, Cmd: ['cat'] }

/**
 * A typical session of a client of `version`. At 1.18 limits are at the top level of the create body, `Entrypoint` is
 * one string, start sends settings, and exec hijacks without Upgrade.
 */
export function session(version: '1.18' | '1.22', image: string, name: string): readonly Step[] {
  const old = version === '1.18'
  const command = { Image: image, Entrypoint: 'sh', Cmd: ['-c', 'echo out; echo err >&2; exec sleep 1000'] }
  const container = `/containers/${name}`
  const get = (title: string, url: string, status = 200): Step => ({ title, method: 'GET', url, status })
  const post = (title: string, url: string, status: number, body?: object): Step => ({
    ...{ title, method: 'POST', url, status },
    ...(body === undefined ? {} : { body }),
  })
  const limited = old ? { ...command, ...LIMITS } : { ...command, HostConfig: LIMITS }
  const title = old ? 'create a container, limits at the top' : 'create a container'
  const startTitle = old ? 'start the exec, taking the connection over unasked' : 'start the exec, with Upgrade'
  const startExec = post(startTitle, '/exec/EXEC/start', old ? 200 : 101, { Detach: false, Tty: false })
  return [
    { ...post(title, `/containers/create?name=${name}`, 201, limited), makes: 'CONTAINER' },
    old
      ? post('start it, with a HostConfig', `${container}/start`, 204, START)
      : post('start it', `${container}/start`, 204),
    get('list', `/containers/json?filters=${encodeURIComponent(JSON.stringify({ name: [name] }))}`),
    get('inspect', `${container}/json`),
    get('logs', `${container}/logs?stdout=1&stderr=1`),
    { ...post('create an exec', `${container}/exec`, 201, CAT), makes: 'EXEC' },
    { ...startExec, input: `hello from ${version}\n`, upgrade: !old },
    get('inspect the exec', '/exec/EXEC/json'),
    get('ask for what is not there', `${container}-nonesuch/json`, 404),
    get('events', `/events?since=SINCE&until=NOW&filters=${encodeURIComponent('{"container":["CONTAINER"]}')}`),
    post('kill it', `${container}/kill`, 204),
    post('wait for it', `${container}/wait`, 200),
    { title: 'remove it', method: 'DELETE', url: container, status: 204 },
  ]
}
