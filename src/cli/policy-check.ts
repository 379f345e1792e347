import { readFile } from 'node:fs/promises'
import { environmentPolicy } from '../policy/environment.ts'
import { readPolicy } from '../policy/read-policy.ts'
import { CompiledRules } from '../policy/ruleset.ts'
import { readArguments } from './arguments.ts'
import { type Run, UsageError } from './command.ts'
import { commandNamed } from './commands.ts'

/**
 * `enginebridge policy check FILE METHOD PATH [BODY]`: what a policy says about a request as the engine would see it. No
 * engine is asked and nothing is translated. 0: let through, 1: refused.
 */
export const run: Run = async (args, io) => {
  const { words, value } = readArguments(args, commandNamed('policy check').flags ?? [], { least: 3, most: 4 })
  const [file = '', method = '', path = '', body] = words
  if (!path.startsWith('/')) throw new UsageError(`"${path}" is no path; it begins with /`)
  const rules = await rulesOf(file === 'env' ? environmentPolicy(io.env) : file, value('listener'))
  const { allowed, rule, reason } = rules.judge({
    method: method.toUpperCase(),
    path,
    contentType: value('content-type') ?? 'application/json',
    body: body === undefined ? undefined : await bytesOf(body),
  })
  io.stdout.write(`${allowed ? 'allowed' : 'refused'}: ${reason} (rule ${rule})\n`)
  return allowed ? 0 : 1
}

async function rulesOf(file: string, listener: string | undefined): Promise<CompiledRules> {
  try {
    const policy = await readPolicy(file)
    return new CompiledRules((listener === undefined ? undefined : policy.listeners?.[listener]) ?? policy.rules ?? {})
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** `@FILE` as curl has it, or the text itself. */
const bytesOf = (body: string): Promise<Buffer> | Buffer =>
  body.startsWith('@') ? readFile(body.slice(1)) : Buffer.from(body)
