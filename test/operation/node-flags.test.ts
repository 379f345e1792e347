import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { NODE_FLAGS } from '../support/node-flags.ts'

const text = (name: string): Promise<string> => readFile(join(import.meta.dirname, '../..', name), 'utf8')

it('starts the program with the same flags of Node from a checkout, a package and the image', async () => {
  expect(NODE_FLAGS).toContain('--no-concurrent-recompilation')
  const [, entrypoint = '[]'] = /^ENTRYPOINT (.*)$/m.exec(await text('Dockerfile')) ?? []
  expect(JSON.parse(entrypoint)).toEqual(['/usr/local/bin/node', ...NODE_FLAGS, '/app/dist/program/main.js'])
  const [, health = '[]'] = /^HEALTHCHECK .* CMD (.*)$/m.exec(await text('Dockerfile')) ?? []
  expect(JSON.parse(health)).toEqual(['/usr/local/bin/node', ...NODE_FLAGS, '/app/dist/program/main.js', 'health'])
  const [, compiled = ''] = /^export const FLAGS = \[([^\]]*)\]$/m.exec(await text('packaging/plugins.ts')) ?? []
  expect(compiled.match(/--[^']+/g)).toEqual(NODE_FLAGS)
  const { scripts } = JSON.parse(await text('package.json')) as { scripts: Record<string, string> }
  expect(scripts['start']).toContain(`exec node ${NODE_FLAGS.join(' ')} src/cli/commands/start.ts`)
  const starts = [...(await text('bin/enginebridge')).matchAll(/exec node .*/g)].map(([line]) => line)
  expect(starts).toHaveLength(2)
  for (const line of starts) expect(line).toContain('exec node $flags ')
})
