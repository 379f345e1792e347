import { type JsonObject, objectOf, stringOf } from '../../../api/json/json.ts'
import { type ApiVersion, isOlder } from '../../../api/version.ts'
import type { Handler } from '../call.ts'
import { recorded } from '../recorded.ts'
import { checkImage, type Store } from '../store.ts'
import { flag, readFilters, sendJson } from '../wire.ts'

const FILTERS = ['before', 'dangling', 'label', 'reference', 'since', 'until']
/** First version with the number of containers; -1 before (moby CHANGELOG v1.51). */
const COUNTS_FROM = 51

/** The only image, as in the list. */
export function listedImages(store: Store, version: ApiVersion): JsonObject[] {
  const body = recorded('imageList', version)
  const count = store.containers.filter(({ config }) => stringOf(config['Image']) !== '').length
  return (Array.isArray(body) ? body : []).map((image) => ({
    ...objectOf(image),
    Containers: isOlder(version, COUNTS_FROM) ? -1 : count,
  }))
}

export const listImages: Handler = ({ res, query, store, version }) => {
  const filters = readFilters(query, FILTERS)
  const images = listedImages(store, version)
  if (flag(query, 'shared-size')) for (const image of images) image['SharedSize'] = 0
  const wanted = filters.get('reference') ?? []
  const dangling = filters.get('dangling')?.some((value) => ['1', 'true'].includes(value)) ?? false
  const matches = wanted.length === 0 || wanted.some((name) => ['busybox', 'busybox:latest'].includes(name))
  sendJson(res, 200, matches && !dangling ? images : [])
}

export const inspectImage: Handler = ({ res, target, version }) => {
  checkImage(target)
  sendJson(res, 200, recorded('imageInspect', version))
}

export const imageHistory: Handler = ({ res, target, version }) => {
  checkImage(target)
  sendJson(res, 200, recorded('imageHistory', version))
}
