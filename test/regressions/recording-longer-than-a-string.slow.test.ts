import { constants } from 'node:buffer'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { expect, it } from 'vitest'
import { readRecording } from '../../src/tools/recording/format.ts'
import { socketFolder } from '../support/scripted-engine.ts'

const HEAD = '{"recording":1,"started":"2026-01-01T00:00:00Z","engine":{"lowest":"1.12","highest":"1.41"}}\n'
const CALL = '{"at":"2026-01-01T00:00:00Z","method":"GET","path":"/info","client":"1.41"}\n'
const BLANK = `${' '.repeat((1 << 20) - 1)}\n`

function* recording(): Generator<string> {
  yield HEAD
  for (let length = 0; length <= constants.MAX_STRING_LENGTH; length += BLANK.length) yield BLANK
  yield CALL
}

// Compressed, which spares the disk half a gigabyte.
it('is read, line by line', async () => {
  const folder = await socketFolder()
  const file = join(folder.path, 'calls.jsonl.gz')
  await pipeline(Readable.from(recording()), createGzip({ level: 1 }), createWriteStream(file))
  const { calls } = await readRecording(file)
  expect(calls.map(({ path }) => path)).toEqual(['/info'])
  await folder.remove()
}, 60_000)
