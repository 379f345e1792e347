import { memberAt } from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { editFilters, readFilters, respellFilter } from '../../src/translate/ops/calls/filter-values.ts'

/** Engines from 1.8 on list a container that never started as `Created`; earlier ones as exited, without a status text. */
const CREATED = 'created'
const EXITED = 'exited'
const NOTE = 'list.status'

/** On old engines the filter `exited` includes containers that never started. */
export function exitedMeansCreatedToo({ query }: RequestMessage): void {
  editFilters(query, (filters) => {
    const status = filters.get('status')
    if (status?.includes(EXITED) && !status.includes(CREATED)) filters.set('status', [...status, CREATED])
  })
}

/** Old engines do not distinguish the two: the bridge requests both and filters the answer. */
export function askForBoth({ query }: RequestMessage, { memory }: StepContext): void {
  const status = readFilters(query).get('status') ?? []
  if (!status.includes(CREATED) && !status.includes(EXITED)) return
  memory.set(NOTE, status)
  query.set('all', '1')
  respellFilter(query, 'status', (value) => (value === CREATED ? EXITED : value))
}

export function sortOut(message: ResponseMessage, { memory }: StepContext): void {
  const { body } = message
  const status = memory.get(NOTE)
  if (!Array.isArray(body) || !Array.isArray(status)) return
  message.body = body.filter((item) => {
    const text = memberAt(item, 'Status')
    if (text === 'Created') return status.includes(CREATED)
    return !(typeof text === 'string' && text.startsWith('Exited')) || status.includes(EXITED)
  })
}
