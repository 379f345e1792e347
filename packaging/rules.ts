import { join, sep } from 'node:path'
import type { Plugin } from 'rolldown'
import { type ESTree, parseSync, Visitor } from 'rolldown/utils'
// Loading the rules proves them: the build ends here when one is not sound.
import '../rules/index.ts'

const RULES = join(import.meta.dirname, '..', 'rules') + sep

/** The rules of the bundle: proven by now; what `explain` shows of their examples is made when it is asked for. */
export const provenRules: Plugin = {
  name: 'proven rules',
  options: (options) => ({
    ...options,
    transform: { ...options.transform, define: { RULES_ARE_PROVEN: 'true' } },
  }),
  transform(code, id) {
    if (!id.startsWith(RULES)) return null
    let made = ''
    let at = 0
    for (const { start, end, value } of examplesIn(parseSync(id, code).program)) {
      made += `${code.slice(at, start)}get examples() { return ${code.slice(value.start, value.end)} }`
      at = end
    }
    return at === 0 ? null : { code: made + code.slice(at), map: null }
  },
}

/** `examples: …` of object literals, in their order. */
function examplesIn(program: ESTree.Program): ESTree.ObjectProperty[] {
  const found: ESTree.ObjectProperty[] = []
  new Visitor({
    ObjectExpression: ({ properties }) => {
      for (const property of properties) if (property.type === 'Property' && isWritten(property)) found.push(property)
    },
  }).visit(program)
  return found
}

const isWritten = ({ key, value, shorthand, kind }: ESTree.ObjectProperty): boolean =>
  key.type === 'Identifier' &&
  key.name === 'examples' &&
  !shorthand &&
  kind === 'init' &&
  value.type !== 'ArrowFunctionExpression'
