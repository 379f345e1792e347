import { readdirSync, readFileSync } from 'node:fs'
import { type JsonValue, parseJson } from '../../../src/api/json/json.ts'
import { findOperation, type OperationName } from '../../../src/api/operations.ts'
import { splitPrefix } from '../../../src/api/version.ts'
import type { Recording } from '../golden-recording.ts'

/** An answer of a real engine, asked at a version. */
export interface RecordedAnswer {
  readonly engine: string
  readonly version: number
  /** The engine's highest version. */
  readonly highest: number
  readonly name: string
  readonly operation: OperationName
  readonly value: JsonValue
}

const HIGHEST: Readonly<Record<string, number>> = {
  '1.10': 22,
  '20.10': 41,
  '26.1': 45,
  '28.5': 51,
  '29.1': 52,
  '29-': 53,
}
const highestOf = (engine: string): number | undefined =>
  Object.entries(HIGHEST).find(([start]) => engine.startsWith(start))?.[1]

const folder = new URL('../../golden/recorded/', import.meta.url)

/** Whole JSON answers of the recorded engines from 1.10 on. */
export function recordedAnswers(): RecordedAnswer[] {
  return readdirSync(folder).flatMap((file) => {
    const [engine = '', version = ''] = file.replace('.json', '').split('@')
    const highest = highestOf(engine)
    if (highest === undefined) return []
    const { exchanges } = parseJson(readFileSync(new URL(file, folder), 'utf8')) as unknown as Recording
    return Object.entries(exchanges).flatMap(([name, { method, path, status, values }]): RecordedAnswer[] => {
      const found = findOperation(method, splitPrefix(path).rest.split('?')[0] ?? '')
      const [value] = values
      if (found?.operation.response !== 'json' || status >= 300 || values.length !== 1 || value === undefined) return []
      return [
        { engine, version: Number(version.slice('1.'.length)), highest, name, operation: found.operation.name, value },
      ]
    })
  })
}
