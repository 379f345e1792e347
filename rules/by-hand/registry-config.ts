import { asJson, isObject, isUnset, type JsonValue, memberAt, objectOf, writeJson } from '../../src/api/json/json.ts'
import { memberNamed } from '../../src/api/json/names.ts'
import type { ExamplePart, Op } from '../../src/translate/change.ts'
import { callRefused } from '../../src/translate/ops.ts'

/** Reads JSON in base64, standard or URL-safe; undefined if it is invalid. */
const fromBase64 = (text: string): JsonValue | undefined => asJson(Buffer.from(text, 'base64').toString())

/** Padded and URL-safe: the one form that every engine reads (base64.URLEncoding in postBuild @v1.6.2 … HEAD). */
export const inBase64 = (value: JsonValue): string =>
  Buffer.from(writeJson(value)).toString('base64').replaceAll('+', '-').replaceAll('/', '_')

/** Edits the configuration in a header in base64; text other than JSON stays. */
const edited =
  (edit: (config: JsonValue) => JsonValue) =>
  (text: string): string | undefined => {
    const config = fromBase64(text)
    return config === undefined ? undefined : inBase64(edit(config))
  }

/** Engine 1.6 reads the whole configuration file, `{"configs": {host: …}}`; later engines read only the map. */
export const unwrapConfigs = edited((config) => {
  const inner = memberAt(config, 'configs')
  return isObject(inner) ? inner : config
})

export const wrapConfigs = edited((config) =>
  isObject(config) && Object.hasOwn(config, 'configs') ? config : { configs: objectOf(config) },
)

export const urlSafe = edited((config) => config)

/** Refuses a member of X-Registry-Auth that older engines do not read; the engine reports an invalid header. */
export const refusedInAuth = (member: string, words: string, what: string): Op =>
  callRefused(['ImageCreate', 'ImagePush'], words, {
    finds: ({ headers }) => {
      const auth = fromBase64(headers.get('X-Registry-Auth') ?? '')
      const name = isObject(auth) ? memberNamed(auth, member) : undefined
      return name === undefined || isUnset(memberAt(auth, name)) ? undefined : what
    },
    samples: [[sent({ [member]: 'abc' }), what]],
    stay: [sent({ username: 'a' })],
  })

const sent = (auth: JsonValue): ExamplePart => ({ headers: { 'X-Registry-Auth': inBase64(auth) } })
