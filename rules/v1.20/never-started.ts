import { isObject, type JsonObject } from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { editFilters, readFilters } from '../../src/translate/ops/calls/filter-values.ts'

/** A container that never started: `Created` from 1.8 on; before that it is an exited one without a status text. */
const CREATED = 'created'
const EXITED = 'exited'
const NOTE = 'list.status'

/** Asking an old engine for exited containers brought those that never started as well. */
export function exitedMeansCreatedToo({ query }: RequestMessage): void {
  editFilters(query, (filters) => {
    const status = filters.get('status')
    if (status?.includes(EXITED) && !status.includes(CREATED)) filters.set('status', [...status, CREATED])
  })
}

/** An old engine does not tell the two apart: it is asked for both, and its answer sorted out. */
export function askForBoth({ query }: RequestMessage, { memory }: StepContext): void {
  const status = readFilters(query).get('status') ?? []
  if (!status.includes(CREATED) && !status.includes(EXITED)) return
  memory.set(NOTE, status)
  query.set('all', '1')
  editFilters(query, (filters) =>
    filters.set('status', [...new Set(status.map((value) => (value === CREATED ? EXITED : value)))]),
  )
}

export function sortOut(message: ResponseMessage, { memory }: StepContext): void {
  const { body } = message
  const status = memory.get(NOTE)
  if (!Array.isArray(body)) return
  for (const item of body) if (isObject(item) && item['Status'] === '') item['Status'] = 'Created'
  if (!Array.isArray(status)) return
  message.body = body.filter((item) => {
    const text = isObject(item) ? item['Status'] : undefined
    if (text === 'Created') return status.includes(CREATED)
    return !(typeof text === 'string' && text.startsWith('Exited')) || status.includes(EXITED)
  })
}

export function noStatusText(container: JsonObject): void {
  if (container['Status'] === 'Created') container['Status'] = ''
}
