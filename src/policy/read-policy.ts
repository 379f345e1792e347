import { readFile } from 'node:fs/promises'
import type { z } from 'zod'
import { yaml } from '../seldom.ts'
import { presets } from './presets.ts'
import { type PolicyFile, policyFile, type Ruleset } from './rules.ts'

/** Reads what `--policy` names: a preset, `env:{…}` (src/policy/environment.ts), or a file. Rejects with a sentence. */
export async function readPolicy(said: string): Promise<PolicyFile> {
  if (said in presets) return { rules: { preset: said } }
  if (said.startsWith('env:')) return { rules: rulesetOf(JSON.parse(said.slice('env:'.length))) }
  let text: string
  try {
    text = await readFile(said, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`--policy ${said}: no preset (${Object.keys(presets).join(', ')}), and no file: ${reason}`, {
      cause,
    })
  }
  return parsePolicy(text, said)
}

export function parsePolicy(text: string, name: string): PolicyFile {
  let parsed: unknown
  try {
    // Texts only: `off` and `0` mean what they say, `1.40` is no number.
    parsed = yaml().parse(text, { schema: 'failsafe' })
  } catch (cause) {
    throw new Error(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
  const result = policyFile.safeParse(parsed)
  if (result.success) return result.data
  throw new Error(result.error.issues.map((issue) => `${name}: ${where(issue)}${issue.message}`).join('\n'))
}

const where = ({ path }: z.core.$ZodIssue): string => (path.length === 0 ? '' : `${path.join('.')}: `)

/** The variables of Tecnativa's, linuxserver's and wollomatic's socket proxies as rules. Throws with a sentence. */
function rulesetOf(variables: Readonly<Record<string, string>>): Ruleset {
  const sections: Record<string, string> = {}
  const paths: Record<string, string[]> = {}
  let mounts: string[] | undefined
  for (const [name, value] of Object.entries(variables)) {
    const method = /^SP_ALLOW_([A-Z]+)(?:_\d+)?$/.exec(name)?.[1]
    if (name === 'SP_ALLOWFROM')
      throw new Error(
        'SP_ALLOWFROM is not understood: who may connect is a matter of listeners, certificates and networks',
      )
    if (name === 'SP_ALLOWBINDMOUNTFROM') mounts = value.split(',').map((path) => path.trim())
    else if (method === undefined) sections[name] = value
    else paths[method] = [...(paths[method] ?? []), value]
  }
  // wollomatic's allows nothing by itself, the others events, ping and version.
  const bySections = Object.keys(sections).length > 0 || Object.keys(paths).length === 0
  return {
    ...(bySections ? { sections } : {}),
    ...(Object.keys(paths).length === 0 ? {} : { paths }),
    ...(mounts === undefined ? {} : { bodies: { 'host-mounts': mounts } }),
  }
}
