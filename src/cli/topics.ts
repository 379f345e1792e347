import { type SettingName, settingNames } from '../proxy/settings/settings.ts'

/** The settings in groups that fit a screen each: the first of a group, its name, and what it is about. */
const TOPICS: readonly (readonly [first: SettingName, name: string, sentence: string])[] = [
  ['listen', 'connections', 'where clients, the engine and monitoring connect'],
  ['state', 'resources', 'processors, memory, and what is kept'],
  ['validation', 'translation', 'what is done between two versions'],
  ['engine-api', 'versions', 'which versions are spoken to clients and to the engine'],
  ['log-level', 'log', 'the log on standard error'],
  ['inspect', 'inspect', 'a page that shows the calls live'],
  ['tls-cert', 'tls', 'certificates of listeners and towards the engine'],
  ['max-request-body', 'limits', 'bounds on sizes and numbers'],
  ['header-timeout', 'timeouts', 'how long clients and the engine may take'],
  ['policy', 'policy', 'which calls are allowed'],
  ['audit-log', 'audit', 'who did what, when, with what result'],
  ['audit-mode', 'audit-files', 'how audit records are written, kept and chained'],
]

export interface SettingGroup {
  readonly name: string
  readonly sentence: string
  readonly settings: readonly SettingName[]
}

/** Every setting in one group. */
export const settingGroups: readonly SettingGroup[] = TOPICS.map(([first, name, sentence], i) => {
  const next = TOPICS[i + 1]?.[0]
  const end = next === undefined ? undefined : settingNames.indexOf(next)
  return { name, sentence, settings: settingNames.slice(settingNames.indexOf(first), end) }
})
