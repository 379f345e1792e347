import { dockerJava } from './docker-java-rows.ts'
import { dockerPy } from './docker-py-rows.ts'
import { engine } from './engine-rows.ts'
import { goDockerclient } from './go-dockerclient-rows.ts'
import type { Row, Source } from './row.ts'

export const SOURCES: readonly Source[] = [engine, dockerPy, goDockerclient, dockerJava]

export interface Assertion {
  readonly row: Row
  readonly age: string
}

/** Each assertion at each of its ages. */
export const assertions = (): Assertion[] =>
  SOURCES.flatMap(({ rows }) => rows.flatMap((row) => row.ages.map((age) => ({ row, age }))))
