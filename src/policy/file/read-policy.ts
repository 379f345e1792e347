import { readFile } from 'node:fs/promises'
import type { z } from 'zod'
import { BadConfig, issueText } from '../../config/bad-config.ts'
import { parseYaml } from '../../config/lazy-imports.ts'
import { didYouMean } from '../../config/nearest.ts'
import { messageOf } from '../../config/text.ts'
import { presets } from './presets.ts'
import { type PolicyFile, policyFile, type Ruleset, ruleset } from './rules.ts'

/**
 * Reads `--policy`: a preset, `env:{…}` (src/policy/file/environment.ts), or a file whose listeners must be among those
 * given. Rejects with all problems.
 */
export async function readPolicy(said: string, listeners?: readonly string[]): Promise<PolicyFile> {
  if (Object.hasOwn(presets, said)) return { rules: { preset: said } }
  if (said.startsWith('env:')) return { rules: rulesetOf(JSON.parse(said.slice('env:'.length))) }
  let text: string
  try {
    text = await readFile(said, 'utf8')
  } catch (cause) {
    const names = Object.keys(presets)
    const meant = didYouMean(said, [...names, 'env', 'off'])
    throw new BadConfig([
      `--policy ${said}: neither a preset (${names.join(', ')}) nor a readable file: ${messageOf(cause)}${meant}`,
    ])
  }
  return parsePolicy(text, said, listeners)
}

export function parsePolicy(text: string, name: string, listeners?: readonly string[]): PolicyFile {
  let parsed: unknown
  try {
    parsed = parseYaml(text)
  } catch (cause) {
    throw new BadConfig([`${name}: ${messageOf(cause)}`])
  }
  const result = policyFile.safeParse(parsed, { error: issueText })
  const problems = [...(result.error?.issues ?? []).map(words), ...strangers(parsed, listeners)]
  if (result.success && problems.length === 0) return result.data
  throw new BadConfig(problems.map((problem) => `${name}: ${problem}`))
}

const words = ({ path, message }: z.core.$ZodIssue): string =>
  path.length === 0 ? message : `${path.join('.')}: ${message}`

/** Listeners missing in `--listen`, even in a file with other problems. */
function strangers(parsed: unknown, listeners: readonly string[] | undefined): string[] {
  if (listeners === undefined || typeof parsed !== 'object' || parsed === null || !('listeners' in parsed)) return []
  return Object.keys(parsed.listeners ?? {})
    .filter((name) => !listeners.includes(name))
    .map((name) => `listeners: --listen does not have ${name}; it has ${listeners.join(', ')}`)
}

/** Converts variables of Tecnativa's, linuxserver's and wollomatic's socket proxies to rules. Throws all problems. */
function rulesetOf(variables: Readonly<Record<string, string>>): Ruleset {
  const sections: Record<string, string> = {}
  const paths: Record<string, string[]> = {}
  const problems: string[] = []
  let bodies: Ruleset['bodies']
  for (const [name, value] of Object.entries(variables)) {
    const method = /^SP_ALLOW_([A-Z]+)(?:_\d+)?$/.exec(name)?.[1]
    if (name === 'SP_ALLOWFROM')
      problems.push('SP_ALLOWFROM is not understood: listeners, certificates and networks say who may connect')
    else if (name === 'SP_ALLOWBINDMOUNTFROM') bodies = { 'host-mounts': value.split(',').map((path) => path.trim()) }
    else if (method === undefined) sections[name] = value
    else paths[method] = [...(paths[method] ?? []), value]
  }
  // By default wollomatic's allows nothing, the others events, ping and version.
  const bySections = Object.keys(sections).length > 0 || Object.keys(paths).length === 0
  const rules = { ...(bySections ? { sections } : {}), paths, bodies }
  const result = ruleset.safeParse(rules, { error: issueText })
  problems.push(...(result.error?.issues ?? []).map(({ message }) => message))
  if (result.success && problems.length === 0) return result.data
  throw new BadConfig(problems)
}
