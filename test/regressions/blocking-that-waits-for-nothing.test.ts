import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'

const stage = stages()

it('a policy that omits received of all calls is refused with --audit-mode blocking: no call waited for its record', async () => {
  const path = join(stage.folder(), 'policy.yaml')
  await writeFile(path, 'omitStages: [received]\nrules: [{ level: metadata }]\n')
  const flags = ['--audit-mode', 'blocking', '--audit-policy', path]
  await expect(stage({}, flags)).rejects.toThrow('omitStages: with --audit-mode blocking')
})
