import { isObject, type JsonObject, listOf } from '../../src/api/json/json.ts'
import type { EmulationContext } from '../../src/translate/message.ts'

/** The name of every container by its id, without the slash. Names such as `/web/db` are links and do not count. */
export async function containerNames(context: EmulationContext): Promise<JsonObject> {
  const list = await context.engineCall('GET', '/containers/json', { query: { all: '1' } })
  const names: JsonObject = {}
  for (const item of listOf(list.body)) {
    if (!isObject(item) || !Array.isArray(item['Names'])) continue
    const own = item['Names'].find((name) => typeof name === 'string' && /^\/[^/]+$/.test(name))
    if (typeof own === 'string') names[String(item['Id'])] = own.slice(1)
  }
  return names
}
