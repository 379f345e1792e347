import { type JsonValue, memberAt, stringOf } from '../../src/api/json/json.ts'

/** The `status` of an event, its only description before 1.22; '' if missing. */
export const statusOf = (record: JsonValue | undefined): string => stringOf(memberAt(record, 'status'))
