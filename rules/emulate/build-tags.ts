import { writeJson } from '../../src/api/json/json.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'

/** Splits `repository:tag`; the port of a registry stays with the repository. */
function split(name: string): { repo: string; tag: string } {
  const found = /^(.*):([^/:]+)$/.exec(name)
  return { repo: found?.[1] ?? name, tag: found?.[2] ?? 'latest' }
}

const failure = (message: string): Buffer =>
  Buffer.from(`${writeJson({ errorDetail: { message }, error: message })}\r\n`)

const NOTHING: Buffer = Buffer.alloc(0)
/** Of the output: a build that fails ends with the record of its error. */
const LAST_BYTES = 64 * 1024

/**
 * Engines up to 1.9 read one `t`. They get the first; after a successful build the bridge tags the image with the others.
 * A tag that fails ends the output of the build with an error record, as a failed build does. The policy judges tagging
 * before: a build that it denies makes no image.
 */
export async function tagAfterwards({ query }: RequestMessage, context: EmulationContext): Promise<void> {
  const [first, ...further] = query.getAll('t').filter((name) => name !== '')
  if (first === undefined || further.length === 0) return
  const path = `/images/${encodeURI(first)}/tag`
  context.permit('POST', path)
  query.set('t', first)
  let end = NOTHING
  context.rewriter = {
    push: (piece) => {
      end = Buffer.concat([end, piece]).subarray(-LAST_BYTES)
      return [piece]
    },
    rest: async () => (end.includes('"errorDetail"') ? NOTHING : tagAs(further, path, context)),
  }
}

async function tagAs(names: readonly string[], path: string, context: EmulationContext): Promise<Buffer> {
  for (const name of names) {
    const { repo, tag } = split(name)
    const { status, error } = await context.engineCall('POST', path, { query: { repo, tag, force: '1' } })
    if (status >= 400) return failure(error)
  }
  return NOTHING
}
