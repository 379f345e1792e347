import { z } from 'zod'
import { isOperationName, operationNames } from '../../api/operations.ts'
import { escaped } from '../../config/escaped.ts'
import { didYouMean } from '../../config/nearest.ts'
import { pathProblem } from '../bodies/paths.ts'
import { presets } from './presets.ts'
import { switchProblem } from './sections.ts'

/** `allow`, `deny`, or a list of what is allowed. */
const listRule = z
  .union([z.literal('allow'), z.literal('deny'), z.array(z.string().min(1))], {
    error: 'must be allow, deny or a list of what is allowed',
  })
  .optional()
const plainRule = z.enum(['allow', 'deny'], { error: 'must be allow or deny' }).optional()

/** What is looked at in bodies and queries. A rule that is not named is that of `base`. */
const bodies = z.strictObject({
  base: z.enum(['none', 'strict']).optional(),
  privileged: plainRule,
  'host-mounts': listRule,
  'host-namespaces': listRule,
  'container-namespaces': plainRule,
  'volumes-from': plainRule,
  capabilities: listRule,
  devices: listRule,
  'security-opts': listRule,
  runtimes: listRule,
  'volume-drivers': listRule,
  'network-drivers': listRule,
  'cgroup-parent': plainRule,
  images: listRule,
  'new-images': plainRule,
  'container-paths': listRule,
  'unknown-members': plainRule,
  buildkit: plainRule,
  plugins: plainRule,
  swarm: plainRule,
})

export type BodyRule = Exclude<keyof z.output<typeof bodies>, 'base'>

/** What is allowed under a rule; a rule that is not there is not looked at. */
export type Bodies = ReadonlyMap<BodyRule, readonly string[]>

/** An operation by name, `Container*` for several. */
const operationPattern = z.string().refine((pattern) => operationsLike(pattern).length > 0, {
  error: ({ input }) =>
    `"${String(input)}" is no operation${didYouMean(String(input), operationNames, '; docs/policy.md lists them')}`,
})

const presetName = z.string().refine((name) => Object.hasOwn(presets, name), {
  error: ({ input }) => `"${String(input)}" is no preset; there are ${Object.keys(presets).join(', ')}`,
})

type Check<T> = z.core.$RefinementCtx<T>

/** Every problem, not the first alone: whoever corrects a file sees them together. */
function tell<T>(problems: readonly (string | undefined)[], context: Check<T>): void {
  for (const message of problems) if (message !== undefined) context.addIssue({ code: 'custom', message })
}

const sections = z.record(z.string(), z.string()).superRefine((said, context) =>
  tell(
    Object.entries(said).map(([name, value]) => switchProblem(name, value)),
    context,
  ),
)

const paths = z
  .record(z.string(), z.array(z.string()))
  .superRefine((said, context) => tell(Object.values(said).flat().map(pathProblem), context))

/** One listener's rules, as people write them. */
export const ruleset = z.strictObject({
  preset: presetName.optional(),
  sections: sections.optional(),
  allow: z.array(operationPattern).optional(),
  deny: z.array(operationPattern).optional(),
  paths: paths.optional(),
  // One word is the base alone.
  bodies: z.preprocess((said) => (typeof said === 'string' ? { base: said } : said), bodies.optional()),
})

export type Ruleset = z.output<typeof ruleset>

/** A policy file. */
export const policyFile = z.strictObject({
  rules: ruleset.optional(),
  listeners: z.record(z.string(), ruleset).optional(),
})

export type PolicyFile = z.output<typeof policyFile>

/** The operations that a pattern names. */
export function operationsLike(pattern: string): readonly string[] {
  if (isOperationName(pattern)) return [pattern]
  if (!pattern.includes('*')) return []
  const expression = new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`)
  return operationNames.filter((name) => expression.test(name))
}

/** Everything that `strict` denies. Images and paths inside containers are open until a list says otherwise. */
const STRICT: readonly BodyRule[] = [
  'privileged',
  'host-mounts',
  'host-namespaces',
  'container-namespaces',
  'volumes-from',
  'capabilities',
  'devices',
  'security-opts',
  'runtimes',
  'volume-drivers',
  'network-drivers',
  'cgroup-parent',
  'unknown-members',
  'buildkit',
  'plugins',
  'swarm',
]

/** What a rule named without a base of its own stands on: that of the preset. */
export function resolveBodies(said: Ruleset['bodies'], presetBase: 'none' | 'strict'): Bodies {
  const { base = presetBase, ...rules } = said ?? {}
  const resolved = new Map<BodyRule, readonly string[]>(base === 'strict' ? STRICT.map((rule) => [rule, []]) : [])
  for (const [name, value] of Object.entries(rules) as [BodyRule, 'allow' | 'deny' | string[] | undefined][]) {
    if (value === undefined) continue
    if (value === 'allow') resolved.delete(name)
    else resolved.set(name, value === 'deny' ? [] : value)
  }
  // Whoever may make images gives them the names that the list allows.
  if (resolved.has('images') && rules['new-images'] === undefined) resolved.set('new-images', [])
  return resolved
}
