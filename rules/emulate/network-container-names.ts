import { isObject, type JsonObject, memberAt } from '../../src/api/json/json.ts'
import type { EmulationContext, ResponseMessage } from '../../src/translate/message.ts'
import { containerNames } from './container-names.ts'

/** Engines up to 1.9 show only the ids of the containers in a network. */
export async function nameContainers({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  const members = (Array.isArray(body) ? body : [body]).flatMap((network): [string, JsonObject][] => {
    const containers = memberAt(network, 'Containers')
    if (!isObject(containers)) return []
    return Object.entries(containers).flatMap(([id, member]) => (isObject(member) ? [[id, member]] : []))
  })
  if (members.length === 0) return
  const names = await containerNames(context)
  for (const [id, member] of members) member['Name'] ??= names[id] ?? ''
}
