import { z } from 'zod'
import { operationNames, operationsLike } from '../../api/operations.ts'
import { didYouMean } from '../../config/nearest.ts'
import { messageOf } from '../../config/text.ts'
import { presets } from './presets.ts'
import { switchProblem } from './sections.ts'

/** `allow`, `deny`, or a list of allowed values. */
const listRule = z
  .union([z.literal('allow'), z.literal('deny'), z.array(z.string().min(1))], {
    error: 'must be allow, deny or a list of what is allowed',
  })
  .optional()
const plainRule = z.enum(['allow', 'deny'], { error: 'must be allow or deny' }).optional()

/** Rules on bodies and queries. Missing ones are those of `base`. */
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

/** The values allowed by each rule; absent rules are not checked. */
export type Bodies = ReadonlyMap<BodyRule, readonly string[]>

/** An operation, or several: `Container*`. */
const operationPattern = z.string().refine((pattern) => operationsLike(pattern).length > 0, {
  error: ({ input }) =>
    `unknown operation "${String(input)}"${didYouMean(String(input), operationNames, '; docs/policy.md lists them')}`,
})

const presetName = z.string().refine((name) => Object.hasOwn(presets, name), {
  error: ({ input }) => `unknown preset "${String(input)}"; there are ${Object.keys(presets).join(', ')}`,
})

/** Reports each problem of a part of the file. */
const sound = <T>(problemsOf: (said: T) => readonly (string | undefined)[]) =>
  z.superRefine<T>((said, context) => {
    for (const message of problemsOf(said)) if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

const sections = z
  .record(z.string(), z.string())
  .check(sound((said) => Object.entries(said).map(([name, value]) => switchProblem(name, value))))

/** Compiles a pattern for whole paths in the form of wollomatic/socket-proxy, adding `^` and `$`. Throws if invalid. */
export function pathPattern(pattern: string): RegExp {
  new RegExp(pattern) // first without the anchors: `a)|(b` would be valid only inside them
  return new RegExp(`^(?:${pattern.replace(/^\^/, '').replace(/(?<!\\)\$$/, '')})$`)
}

function pathProblem(pattern: string): string | undefined {
  try {
    pathPattern(pattern)
    return undefined
  } catch (cause) {
    return `invalid path pattern "${pattern}": ${messageOf(cause)}`
  }
}

const paths = z
  .record(z.string(), z.array(z.string()))
  .check(sound((said) => Object.values(said).flat().map(pathProblem)))

/** The rules of a listener, as written in a file. */
export const ruleset = z.strictObject({
  preset: presetName.optional(),
  sections: sections.optional(),
  allow: z.array(operationPattern).optional(),
  deny: z.array(operationPattern).optional(),
  paths: paths.optional(),
  // A word is the base.
  bodies: z.preprocess((said) => (typeof said === 'string' ? { base: said } : said), bodies.optional()),
})

export type Ruleset = z.output<typeof ruleset>

export const policyFile = z.strictObject({
  rules: ruleset.optional(),
  listeners: z.record(z.string(), ruleset).optional(),
})

export type PolicyFile = z.output<typeof policyFile>

/** Everything denied by `strict`. Images and container paths are unrestricted unless listed. */
const STRICT: readonly BodyRule[] = bodies.keyof().exclude(['base', 'images', 'new-images', 'container-paths']).options

/** Completes rules without a base with the preset's. */
export function resolveBodies(said: Ruleset['bodies'], presetBase: 'none' | 'strict'): Bodies {
  const { base = presetBase, ...rules } = said ?? {}
  const resolved = new Map<BodyRule, readonly string[]>(base === 'strict' ? STRICT.map((rule) => [rule, []]) : [])
  for (const [name, value] of Object.entries(rules) as [BodyRule, 'allow' | 'deny' | string[] | undefined][]) {
    if (value === undefined) continue
    if (value === 'allow') resolved.delete(name)
    else resolved.set(name, value === 'deny' ? [] : value)
  }
  // A client that may create images can give them any listed name.
  if (resolved.has('images') && rules['new-images'] === undefined) resolved.set('new-images', [])
  // BuildKit makes images, also on the network of the host or in another cgroup.
  const build = resolved.has('new-images') || resolved.has('cgroup-parent')
  if ((build || resolved.get('host-namespaces')?.includes('network') === false) && rules.buildkit === undefined)
    resolved.set('buildkit', [])
  return resolved
}
