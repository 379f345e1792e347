import { readFile } from 'node:fs/promises'
import { Minimatch } from 'minimatch'
import { z } from 'zod'
import { operationNames } from '../../api/operations.ts'
import { BadConfig, issueText } from '../../config/bad-config.ts'
import { parseYaml } from '../../config/lazy-imports.ts'
import { messageOf } from '../../config/text.ts'
import { byteSize } from '../../config/units.ts'
import type { Subject, Treatment } from '../audit.ts'
import type { Redaction } from '../redact/json.ts'
import { LEVELS, type Level, STAGES, type Stage } from './terms.ts'

type Pattern = (text: string) => boolean

/** Longest text that patterns are matched against: clients choose it, and several `*` take polynomial time. */
const LOOKED_AT = 1024

/** A pattern with `*` (within a segment), `**` (across segments), `?`, `[abc]` and `{a,b}`. */
const glob = z
  .string()
  .min(1)
  .transform((pattern): Pattern => {
    const matcher = new Minimatch(pattern, { dot: true, nonegate: true, nocomment: true, noext: true })
    return (text) => matcher.match(text.slice(0, LOOKED_AT))
  })
const globs = z.array(glob).min(1).optional()

const operations = globs.refine(
  (patterns) => patterns?.every((pattern) => operationNames.some((name) => pattern(name))) !== false,
  'a pattern fits no operation (names are those of audit records, such as ContainerCreate)',
)

const rule = z.strictObject({
  name: z.string().optional(),
  level: z.enum(LEVELS),
  operations,
  methods: z
    .array(z.string().transform((method) => method.toUpperCase()))
    .min(1)
    .optional(),
  peers: globs,
  listeners: globs,
  userAgents: globs,
  names: globs,
  omitStages: z.array(z.enum(STAGES)).optional(),
  sessions: z.strictObject({ input: z.stringbool().default(false), limit: byteSize.default(10_000_000) }).optional(),
})

const file = z.strictObject({
  rules: z.array(rule).min(1),
  omitStages: z.array(z.enum(STAGES)).default([]),
  redactLabels: z.array(glob).default([]),
})

type Rule = z.output<typeof rule>

export interface AuditPolicy {
  readonly treat: (subject: Subject) => Treatment
  readonly redaction: Redaction
  /** Stages that no call records: `omitStages` outside the rules. */
  readonly omits: readonly Stage[]
  readonly recordsSessions: boolean
}

/** Reads `--audit-policy`. Calls without a matching rule are recorded at `otherwise`. */
export async function readAuditPolicy(path: string, otherwise: Level, said?: unknown): Promise<AuditPolicy> {
  const parsed = file.safeParse(said === undefined ? await parseAuditPolicy(path) : said, { error: issueText })
  if (!parsed.success)
    throw new BadConfig(
      parsed.error.issues.map((issue) => `${path}: ${issue.path.join('.') || 'the file'}: ${issue.message}`),
    )
  const { rules, omitStages, redactLabels } = parsed.data
  const treatments = rules.map((one, i) => ({ rule: one, treatment: treatmentOf(one, i, omitStages) }))
  const rest: Treatment = { level: otherwise, omits: new Set(omitStages) }
  return {
    treat: (subject) => treatments.find(({ rule: one }) => fits(one, subject))?.treatment ?? rest,
    omits: omitStages,
    redaction: { label: (name) => redactLabels.some((pattern) => pattern(name)) },
    recordsSessions: rules.some(({ sessions }) => sessions !== undefined),
  }
}

export async function parseAuditPolicy(path: string): Promise<unknown> {
  try {
    return parseYaml(await readFile(path, 'utf8'))
  } catch (cause) {
    throw new BadConfig([`cannot read the audit policy ${path}: ${messageOf(cause)}`])
  }
}

/** A rule without a name is named by its position. */
const treatmentOf = (
  { name, level, omitStages = [], sessions }: Rule,
  i: number,
  all: readonly Stage[],
): Treatment => ({
  level,
  rule: name ?? `rule ${i + 1}`,
  omits: new Set([...all, ...omitStages]),
  ...(sessions === undefined ? {} : { sessions }),
})

const fitsOne = (patterns: readonly Pattern[] | undefined, values: readonly (string | undefined)[]): boolean =>
  patterns === undefined || values.some((value) => value !== undefined && patterns.some((pattern) => pattern(value)))

/**
 * If engines may read other names than we do, only rules that record match: a client must not be able to name its way
 * out of the log.
 */
const fitsNames = ({ names, level }: Rule, named: Subject['names']): boolean =>
  named === undefined ? names === undefined || level !== 'none' : fitsOne(names, Object.values(named))

/** All conditions of a rule must match, each with one of its patterns. */
function fits(one: Rule, { call, names, peer }: Subject): boolean {
  if (one.methods !== undefined && !one.methods.includes(call.method)) return false
  const { address, certificate } = peer.peer
  return (
    fitsOne(one.operations, [call.match?.operation.name]) &&
    fitsOne(one.peers, [address, certificate?.subject, certificate?.fingerprint]) &&
    fitsOne(one.listeners, [peer.listener]) &&
    fitsOne(one.userAgents, [peer.userAgent]) &&
    fitsNames(one, names)
  )
}
