import { describe, expect, it } from 'vitest'
import { finishedLines } from '../support/lines.ts'

// A live suite read the bridge's audit log in the moment of a write, and half a record ended the run.
describe('the lines of a log that is being written', () => {
  it('are those that have ended', () => {
    expect(finishedLines('{"a":1}\n{"b":2}\n{"c":')).toEqual(['{"a":1}', '{"b":2}'])
    expect(finishedLines('{"a":1}\n{"b":2}\n')).toEqual(['{"a":1}', '{"b":2}'])
    expect(finishedLines('{"a":')).toEqual([])
    expect(finishedLines('')).toEqual([])
  })
})
