/**
 * enginebridge as a library: a whole bridge inside a program (`createBridge`), or the translation of single messages
 * (`translate`). See docs/library.md.
 */

export { type Json, parseJson, type RawNumber, writeJson } from '../../api/json/json.ts'
export type { AuditRecord } from '../../audit/record/record.ts'
export { BadConfig } from '../../config/bad-config.ts'
export {
  type BridgeOptions,
  type BridgeSettings,
  createBridge,
  type RunningBridge,
  type SettingValue,
} from './bridge.ts'
export { TranslateError, translate } from './translate.ts'
export type { EngineDescription, Message, Translated, TranslateOptions } from './types.ts'
