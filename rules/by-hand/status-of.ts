import { isObject, type JsonValue } from '../../src/api/json/json.ts'

/** The `status` of an event, its only description before 1.22; '' if missing. */
export const statusOf = (record: JsonValue | undefined): string => {
  const status = isObject(record) ? record['status'] : undefined
  return typeof status === 'string' ? status : ''
}
