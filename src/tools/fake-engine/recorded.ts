import { type JsonObject, type JsonValue, objectOf, parseJson } from '../../api/json/json.ts'
import { type ApiVersion, isNewer, parseVersion } from '../../api/version.ts'
import containerInspect from './recorded/container-inspect.recorded.json' with { type: 'json' }
import containerList from './recorded/container-list.recorded.json' with { type: 'json' }
import imageInspect from './recorded/image-inspect.recorded.json' with { type: 'json' }
import imageList from './recorded/image-list.recorded.json' with { type: 'json' }
import info from './recorded/info.recorded.json' with { type: 'json' }
import version from './recorded/version.recorded.json' with { type: 'json' }

/** Bodies are stored as text: the JSON module loader would round a counter of 9223372036854771712. */
const files = { containerInspect, containerList, imageInspect, imageList, info, version } satisfies Record<
  string,
  { origin: string; bodies: Record<string, string> }
>

/** Engine 29's response at `version`: the body with the highest key up to it. A new copy. */
export function recorded(name: keyof typeof files, asked: ApiVersion): JsonValue {
  const found = Object.entries(files[name].bodies).findLast(([from]) => !isNewer(parseVersion(from) ?? asked, asked))
  return parseJson(found?.[1] ?? '')
}

export const recordedObject = (name: keyof typeof files, asked: ApiVersion): JsonObject =>
  objectOf(recorded(name, asked))
