import { isUnset, type JsonObject } from '../../src/api/json/json.ts'

export const NO_TAG = '<none>:<none>'
export const NO_DIGEST = '<none>@<none>'

/** Lists hold <none> only if both are empty; otherwise the empty one is null (image_routes.go:getImagesJSON). */
export function noneWords(image: JsonObject): void {
  const nothing = isUnset(image['RepoTags']) && isUnset(image['RepoDigests'])
  if (isUnset(image['RepoTags'])) image['RepoTags'] = nothing ? [NO_TAG] : null
  if (isUnset(image['RepoDigests'])) image['RepoDigests'] = nothing ? [NO_DIGEST] : null
}
