import { asJson, isObject, type JsonValue, writeJson } from '../../src/api/json/json.ts'
import type { RequestMessage } from '../../src/translate/message.ts'

const HEADER = 'X-Registry-Config'

const decode = (text: string): JsonValue | undefined => asJson(Buffer.from(text, 'base64').toString())

/** Padded and URL-safe: the one form that every engine reads (base64.URLEncoding in postBuild @v1.6.2 … HEAD). */
const encode = (value: JsonValue): string =>
  Buffer.from(writeJson(value)).toString('base64').replaceAll('+', '-').replaceAll('/', '_')

function rewrite({ headers }: RequestMessage, edit: (config: JsonValue) => JsonValue): void {
  const text = headers.get(HEADER)
  const config = text === undefined ? undefined : decode(text)
  if (config !== undefined) headers.set(HEADER, encode(edit(config)))
}

/** 1.6 reads the whole configuration file, `{"configs": {host: …}}`; later engines the map alone. */
export const unwrapConfigs = (message: RequestMessage): void =>
  rewrite(message, (config) => {
    const inner = isObject(config) ? config['configs'] : undefined
    return isObject(inner) ? inner : config
  })

export const wrapConfigs = (message: RequestMessage): void =>
  rewrite(message, (config) =>
    isObject(config) && Object.hasOwn(config, 'configs') ? config : { configs: isObject(config) ? config : {} },
  )

export const urlSafe = (message: RequestMessage): void => rewrite(message, (config) => config)
