import { asJson, isObject, type JsonValue, memberAt, objectOf, writeJson } from '../../src/api/json/json.ts'
import type { RequestMessage } from '../../src/translate/message.ts'

const HEADER = 'X-Registry-Config'

/** Reads JSON in base64, standard or URL-safe; undefined if it is invalid. */
export const fromBase64 = (text: string): JsonValue | undefined => asJson(Buffer.from(text, 'base64').toString())

/** Padded and URL-safe: the one form that every engine reads (base64.URLEncoding in postBuild @v1.6.2 … HEAD). */
const encode = (value: JsonValue): string =>
  Buffer.from(writeJson(value)).toString('base64').replaceAll('+', '-').replaceAll('/', '_')

function rewrite({ headers }: RequestMessage, edit: (config: JsonValue) => JsonValue): void {
  const text = headers.get(HEADER)
  const config = text === undefined ? undefined : fromBase64(text)
  if (config !== undefined) headers.set(HEADER, encode(edit(config)))
}

/** Engine 1.6 reads the whole configuration file, `{"configs": {host: …}}`; later engines read only the map. */
export const unwrapConfigs = (message: RequestMessage): void =>
  rewrite(message, (config) => {
    const inner = memberAt(config, 'configs')
    return isObject(inner) ? inner : config
  })

export const wrapConfigs = (message: RequestMessage): void =>
  rewrite(message, (config) =>
    isObject(config) && Object.hasOwn(config, 'configs') ? config : { configs: objectOf(config) },
  )

export const urlSafe = (message: RequestMessage): void => rewrite(message, (config) => config)
