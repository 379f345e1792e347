import { BoundedMap } from '../../src/api/bounded-map.ts'
import { isObject } from '../../src/api/json/json.ts'
import { encodePath } from '../../src/api/read-call.ts'
import { isTrue, refusedAsFound } from '../../src/translate/ops.ts'

/** Execs that were started through this process. */
const started = new BoundedMap<string, true>(10_000)

/**
 * Refuses a second start, which would kill engine 1.9. Engine 1.10 shows `ExitCode: null` until an exec has run; older
 * engines show 0, so the bridge has to remember the execs that it started.
 */
export const secondStartRefused = refusedAsFound('ExecStart', 'a second start is a conflict', {
  part: 'body',
  says: 'conflict',
  asks: '/exec/{id}/json',
  finds: ({ body }, { call, engine }) => {
    if (!isObject(body)) return undefined // the start will report it
    const full = typeof body['ID'] === 'string' ? body['ID'] : (call.params['id'] ?? '')
    const code = body['ExitCode']
    if (body['Running'] === true) return `Error: Exec command ${full} is already running`
    if (engine.highest < 22 ? code !== 0 || started.has(full) : code !== null)
      return `Error: Exec command ${full} has already run`
    started.set(full, true)
    return undefined
  },
})

const tagOf = (query: URLSearchParams): string => query.get('tag') || 'latest'

/**
 * Up to engine 1.9 an existing tag moved only with force, even if it already named the same image (graph/tags.go:SetLoad).
 * Newer engines always move it, at every prefix. A client that relies on the conflict would silently lose its tagged image,
 * so it gets the conflict of its own engine (recorded on 1.6.2 … 1.9.1, image-tag-again). Another client may set the tag
 * between the check and the call: accepted.
 */
export const setTagRefused = refusedAsFound('ImageTag', 'an existing tag is a conflict without force', {
  legs: ['requestUp'],
  says: 'conflict',
  asks: ({ query }) => {
    const repository = query.get('repo') ?? ''
    if (repository === '' || isTrue(query.get('force'))) return undefined
    return `/images/${encodePath(`${repository}:${tagOf(query)}`)}/json`
  },
  finds: async ({ body }, context, { path, query }) => {
    if (!isObject(body)) return undefined
    // The engine reports a missing source image.
    const source = await context.engineCall('GET', path.replace(/\/tag$/, '/json'))
    if (source.status >= 400) return undefined
    const id = String(body['Id']).replace(/^sha256:/, '')
    const tag = tagOf(query)
    const [name, image] = context.client < 21 ? [tag, id] : [`${query.get('repo')}:${tag}`, id.slice(0, 12)]
    return `Conflict: Tag ${name} is already set to image ${image}, if you want to replace it, please use -f option`
  },
})
