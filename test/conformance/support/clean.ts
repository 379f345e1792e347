import { isObject, type JsonValue } from '../../../src/api/json/json.ts'
import { ask } from './ask.ts'

const list = (value: unknown): JsonValue[] => (Array.isArray(value) ? value : [])
const text = (value: unknown, member: string): string => {
  const found = isObject(value) ? value[member] : undefined
  return typeof found === 'string' ? found : ''
}

/** An engine as it was before the first scenario: one image, and, if they are kept, those built before to be found in the cache. */
export async function clean(socket: string, keeps: 'builds' | 'nothing' = 'builds'): Promise<void> {
  const engine = {
    get: (path: string) => ask(socket, 'GET', path),
    delete: (path: string) => ask(socket, 'DELETE', path),
  }
  const containers = list((await engine.get('/containers/json?all=1')).body)
  await Promise.all(containers.map((container) => engine.delete(`/containers/${text(container, 'Id')}?force=1&v=1`)))
  const volumes = (await engine.get('/volumes')).body
  for (const volume of list(isObject(volumes) ? volumes['Volumes'] : []))
    await engine.delete(`/volumes/${text(volume, 'Name')}`)
  for (const network of list((await engine.get('/networks')).body))
    if (/^(rx|rec-)/.test(text(network, 'Name'))) await engine.delete(`/networks/${text(network, 'Id')}`)
  await cleanImages(engine, keeps === 'builds' ? /(^|\/)(busybox|kept):/ : /(^|\/)busybox:/)
}

async function cleanImages(
  engine: {
    get(path: string): ReturnType<typeof ask>
    delete(path: string): ReturnType<typeof ask>
  },
  keeps: RegExp,
): Promise<void> {
  for (const image of list((await engine.get('/images/json')).body)) {
    const tags = isObject(image) ? list(image['RepoTags']).filter((tag) => typeof tag === 'string') : []
    const kept = tags.filter((tag) => keeps.test(tag))
    if (kept.length === 0) await engine.delete(`/images/${text(image, 'Id')}?force=1`)
    else
      for (const tag of tags) if (!kept.includes(tag) && tag !== '<none>:<none>') await engine.delete(`/images/${tag}`)
  }
}
