import { isObject } from '../../src/api/json/json.ts'
import type { EmulationContext, ResponseMessage } from '../../src/translate/message.ts'

/** Engines up to 1.9 only count all containers; the Status texts of their list give the counts by state. */
export async function countContainers({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  if (!isObject(body) || body['ContainersRunning'] !== undefined) return
  const list = await context.engineCall('GET', '/containers/json', { query: { all: '1' } })
  if (!Array.isArray(list.body)) return
  const texts = list.body.map((item) => (isObject(item) ? String(item['Status']) : ''))
  const paused = texts.filter((text) => text.includes('(Paused)')).length
  const up = texts.filter((text) => text.startsWith('Up')).length
  body['ContainersRunning'] = up - paused
  body['ContainersPaused'] = paused
  body['ContainersStopped'] = texts.length - up
}
