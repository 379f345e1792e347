import { describe, expect, it } from 'vitest'
import { changes } from '../rules/index.ts'
import { shapes } from '../src/api/shapes/shapes.ts'
import { versionOf } from '../src/api/version.ts'
import type { TranslationPolicy } from '../src/translate/message.ts'
import { Plans } from '../src/translate/plans.ts'
import { explained } from './golden/explained.ts'
import { cellName, cells, compare, type Finding, laterCells } from './support/golden-compare.ts'
import { explains, unused } from './support/golden-explain.ts'
import { scenes } from './support/golden-scenes.ts'

/**
 * The golden shape test: what a client of version C gets through the bridge from a modern engine has every field, of the
 * same type, that the real engine of version C gave, and no other. Both sides are recordings (test/golden/recorded).
 */
const policy: TranslationPolicy = { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined }
const plans = new Plans({ changes, shapes }, policy)

const inScene = [...cells, ...laterCells].flatMap((cell) =>
  scenes
    .filter(({ since }) => since === undefined || versionOf(cell.client) >= since)
    .map((scene) => [`${scene.name}: ${cellName(cell)}`, cell, scene] as const),
)

const all: Finding[] = []

describe('the shape of an answer', () => {
  it.each(inScene)('%s is that of its own engine', async (_name, cell, scene) => {
    const findings = await compare(plans, cell, scene)
    all.push(...findings)
    const open = findings.filter((finding) => !explained.some((entry) => explains(entry, finding)))
    expect(open.map(({ exchange, path, problem }) => `${exchange}: ${path} ${problem}`)).toEqual([])
  })

  it('would be another without the rules', async () => {
    const bare = new Plans({ changes: [], shapes }, policy)
    const cell = cells.find(({ client, modern }) => client === '1.18' && modern.engine === '28.5')
    const scene = scenes.find(({ name }) => name === 'container inspect, started')
    if (cell === undefined || scene === undefined) throw new Error('the cell or the scene has another name')
    const problems = (await compare(bare, cell, scene)).map(({ path, problem }) => `${path} ${problem}`)
    expect(problems).toEqual(
      expect.arrayContaining(['Volumes missing', 'HostConfig.Runtime new', 'ExecDriver missing']),
    )
  })

  it('still needs every explained difference', () => {
    expect(explained.flatMap((entry) => unused(entry, all))).toEqual([])
  })
})
