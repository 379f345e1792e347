import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dispatch } from '../../src/cli/dispatch.ts'
import { RecordingFile } from '../../src/cli/recording/file.ts'
import { type FakeEngine, startFakeEngine } from '../../src/tools/fake-engine/engine.ts'
import { stages } from '../support/bridge.ts'
import { captured } from '../support/io.ts'

describe('a recording that cannot be written', () => {
  const stage = stages()
  const at = (name: string): string => join(stage.folder(), name)
  let engine: FakeEngine

  beforeEach(async () => {
    engine = await startFakeEngine(at('engine.sock'))
  })
  afterEach(() => engine.close())

  const args = (listen: string): string[] => [
    'record',
    at('calls.jsonl'),
    '--engine',
    `unix://${engine.path}`,
    '--listen',
    `unix://${listen}`,
    '--grace',
    '0',
  ]

  /** The file stayed, and the next try was refused because it was there. */
  it('leaves no file where the bridge cannot listen', async () => {
    await expect(dispatch(args(at('none/r.sock')), captured())).rejects.toThrow('there is no directory')
    expect(existsSync(at('calls.jsonl'))).toBe(false)
  })

  /** It said "9 calls" of 4, ended with 0, and `replay` stopped at the half line. */
  it('ends with the last whole line where the disk is full, and with an error', () => {
    let room = 10
    const problems: string[] = []
    const file = new RecordingFile(
      at('full.jsonl'),
      (problem) => problems.push(problem),
      (fd, text) => {
        writeFileSync(fd, text.slice(0, room))
        if (text.length > room) throw new Error('no space left on device')
        room -= text.length
      },
    )
    for (const value of [{ a: 1 }, { b: 22 }, { c: 3 }]) file.add(value)
    const said = `cannot write ${at('full.jsonl')}: no space left on device; it ends with line 1`
    expect(problems).toEqual([said])
    expect(() => file.close()).toThrow(said)
    expect(readFileSync(at('full.jsonl'), 'utf8')).toBe('{"a":1}\n')
  })
})
