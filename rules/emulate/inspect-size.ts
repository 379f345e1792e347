import { isObject } from '../../src/api/json/json.ts'
import type { EmulationContext, ResponseMessage } from '../../src/translate/message.ts'
import { isTrue } from '../../src/translate/ops.ts'

/** SizeRw and SizeRootFs of inspect?size=1: engines up to 1.8 show them in the list only. */
export async function sizesFromList({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  if (!isObject(body) || !isTrue(context.call.query.get('size'))) return
  const { body: list } = await context.engineCall('GET', '/containers/json', { query: { all: '1', size: '1' } })
  const items = Array.isArray(list) ? list.filter(isObject) : []
  const item = items.find(({ Id: id }) => id === body['Id'])
  // The list omits a size of 0.
  for (const member of ['SizeRw', 'SizeRootFs']) body[member] = item?.[member] ?? 0
}
