import { type SettingName, settingNames } from '../proxy/settings/settings.ts'

/** The settings in groups that fit a screen each. A setting goes where its name fits first. */
interface Topic {
  readonly name: string
  readonly sentence: string
  readonly pattern: RegExp
}

const TOPICS: readonly Topic[] = [
  {
    name: 'audit-files',
    sentence: 'how audit records are written, kept and chained',
    pattern: /^audit-(mode|queue|rotate|keep|chain)/,
  },
  { name: 'audit', sentence: 'who did what, when, with what result', pattern: /^(audit|session)/ },
  { name: 'policy', sentence: 'which calls are allowed', pattern: /^(policy|allow(?!ed-hosts)|deny)/ },
  { name: 'timeouts', sentence: 'how long clients and the engine may take', pattern: /-timeout$|^grace$/ },
  { name: 'limits', sentence: 'bounds on sizes and numbers', pattern: /^(limit|max|rate)/ },
  { name: 'tls', sentence: 'certificates of listeners and towards the engine', pattern: /(^|-)tls|^insecure/ },
  { name: 'inspect', sentence: 'a page that shows the calls live', pattern: /^inspect/ },
  { name: 'log', sentence: 'the log on standard error', pattern: /^log/ },
  {
    name: 'versions',
    sentence: 'which versions are spoken to clients and to the engine',
    pattern: /^(engine-api|announce|unversioned|known)/,
  },
  {
    name: 'translation',
    sentence: 'what is done between two versions',
    pattern: /^(validation|newer|profile|record-streams|start|socket-mounts)/,
  },
  {
    name: 'resources',
    sentence: 'processors, memory, and what is kept',
    pattern: /^(workers|remember-answers|state)$/,
  },
  { name: 'connections', sentence: 'where clients, the engine and monitoring connect', pattern: /^/ },
]

export interface SettingGroup {
  readonly name: string
  readonly sentence: string
  readonly settings: readonly SettingName[]
}

const groups = Map.groupBy(settingNames, (name) => TOPICS.find(({ pattern }) => pattern.test(name)))

/** Every setting in one group. */
export const settingGroups: readonly SettingGroup[] = TOPICS.toReversed().map((topic) => ({
  name: topic.name,
  sentence: topic.sentence,
  settings: groups.get(topic) ?? [],
}))
