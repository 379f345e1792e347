import { isObject, type JsonValue } from '../../src/api/json/json.ts'

/** What an event of before 1.22 tells of. */
export const statusOf = (record: JsonValue | undefined): string => {
  const status = isObject(record) ? record['status'] : undefined
  return typeof status === 'string' ? status : ''
}
