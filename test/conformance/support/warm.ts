import { isObject, isUnset } from '../../../src/api/json/json.ts'
import { tar } from '../../live/support/tar.ts'
import { type CatalogueCall, type Scenario, scenarios } from '../catalogue.ts'
import { ask } from './ask.ts'

/**
 * What every scenario finds: the image busybox without a command of its own, as the recorded engines had it, and what
 * the scenario builds, so that each run finds the steps in the engine's cache.
 */
export async function warm(socket: string, scenario: Scenario): Promise<void> {
  await bareBusybox(socket)
  if (scenario === 'old') await build(socket, scenarios.old)
}

async function bareBusybox(socket: string): Promise<void> {
  const image = await ask(socket, 'GET', '/images/busybox/json')
  const config = isObject(image.body) ? image.body['Config'] : undefined
  if (isObject(config) && isUnset(config['Cmd'])) return
  const made = await ask(socket, 'POST', '/containers/create', { json: { Image: 'busybox', Cmd: ['sh'] } })
  const id = isObject(made.body) ? made.body['Id'] : undefined
  const files = await ask(socket, 'GET', `/containers/${id}/export`)
  await ask(socket, 'DELETE', `/containers/${id}`)
  await ask(socket, 'DELETE', '/images/busybox')
  await ask(socket, 'POST', '/images/create?fromSrc=-&repo=busybox&tag=latest', { bytes: files.bytes })
}

async function build(socket: string, calls: readonly CatalogueCall[]): Promise<void> {
  for (const { method, path, tar: files, name } of calls) {
    if (method !== 'POST' || !path.startsWith('/build?') || files === undefined) continue
    const query = new URLSearchParams(path.split('?')[1])
    if (!/^[a-z/:]*$/.test(query.get('t') ?? '')) continue // not built in the scenario either
    query.delete('q')
    query.set('t', `kept:${name}`)
    await ask(socket, 'POST', `/build?${query}`, { bytes: tar(files) })
  }
}
