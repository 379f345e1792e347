import { join, sep } from 'node:path'
import type { Plugin } from 'rolldown'
import { type ESTree, parseSync, Visitor } from 'rolldown/utils'

const RULES = join(import.meta.dirname, '..', 'rules') + sep

/** What `explain` shows of the examples of the rules is made when it is asked for. */
export const lazyExamples: Plugin = {
  name: 'lazy examples',
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
