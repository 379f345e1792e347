/**
 * enginebridge as a library: a whole bridge inside a program (`createBridge`), or the translation of single messages alone
 * (`translate`). docs/library.md shows both.
 */
export { BadConfig } from './config.ts'
export { type BridgeOptions, createBridge, type RunningBridge, type SettingValue } from './library/bridge.ts'
export { TranslateError, translate } from './library/translate.ts'
export type { EngineDescription, Json, Message, RawNumber, Translated, TranslateOptions } from './library/types.ts'
export { parseJson, writeJson } from './translate/json.ts'
