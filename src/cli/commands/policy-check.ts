import { readFile } from 'node:fs/promises'
import { formatAddress, parseAddress } from '../../http/address.ts'
import { environmentPolicy } from '../../policy/file/environment.ts'
import { readPolicy } from '../../policy/file/read-policy.ts'
import { CompiledRules } from '../../policy/file/ruleset.ts'
import { type Run, UsageError, unusable } from '../command.ts'

/**
 * `enginebridge policy check FILE METHOD PATH [BODY]`: what a policy says about a request as the engine would see it. No
 * engine is asked and nothing is translated. 0: let through, 1: refused.
 */
export const run: Run = async ({ words, value, has }, io) => {
  const [file = '', method = '', path = '', body] = words
  if (!/^[a-z]+$/i.test(method)) throw new UsageError(`"${method}" is not a method; write it as GET or POST`)
  if (!path.startsWith('/')) throw new UsageError(`invalid path "${path}": it must begin with /`)
  const rules = await rulesOf(file === 'env' ? environmentPolicy(io.env) : file, value('listener')).catch(unusable)
  const judgement = rules.judge({
    method: method.toUpperCase(),
    path,
    contentType: value('content-type') ?? 'application/json',
    body: body === undefined ? undefined : await bytesOf(body),
  })
  const { allowed, rule, reason } = judgement
  const line = `${allowed ? 'allowed' : 'refused'}: ${reason} (rule ${rule})`
  io.stdout.write(`${has('json') ? JSON.stringify({ allowed, rule, reason }) : line}\n`)
  return allowed ? 0 : 1
}

async function rulesOf(file: string, listener: string | undefined): Promise<CompiledRules> {
  const policy = await readPolicy(file)
  const name = listener === undefined ? undefined : formatAddress(parseAddress(listener))
  return new CompiledRules((name === undefined ? undefined : policy.listeners?.[name]) ?? policy.rules ?? {})
}

/** `@FILE` as curl has it, or the text itself. */
const bytesOf = async (body: string): Promise<Buffer> =>
  body.startsWith('@') ? readFile(body.slice(1)).catch(unusable) : Buffer.from(body)
