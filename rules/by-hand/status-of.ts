import { type JsonValue, memberAt } from '../../src/api/json/json.ts'

/** The `status` of an event, its only description before 1.22; '' if missing. */
export const statusOf = (record: JsonValue | undefined): string => {
  const status = memberAt(record, 'status')
  return typeof status === 'string' ? status : ''
}
