import { dockerPy } from './docker-py-rows.ts'
import { engine } from './engine-rows.ts'
import type { Row, Source } from './row.ts'

export const SOURCES: readonly Source[] = [engine, dockerPy]

/** Each assertion at each of its ages. */
export const assertions = (): { readonly row: Row; readonly age: string }[] =>
  SOURCES.flatMap(({ rows }) => rows.flatMap((row) => row.ages.map((age) => ({ row, age }))))
