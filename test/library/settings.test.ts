import { expect, it } from 'vitest'
import { BadConfig, type BridgeSettings, createBridge } from '../../src/tools/library/library.ts'

const listen = 'unix:///nowhere/bridge.sock'

it.each<[BridgeSettings, RegExp]>([
  [{ listen: [] }, /^listen: "": an address is/],
  [{ listen, workers: 2 }, /^workers 2: only `enginebridge serve` supports several processes$/],
  [{ listen, policy: '/nowhere/policy.yaml' }, /^policy \/nowhere\/policy.yaml: neither a preset/],
])('a bridge inside a program is refused with a BadConfig that names the setting: %j', async (settings, problem) => {
  const cause = await createBridge({ settings: { state: 'off', ...settings } }).catch((error: unknown) => error)
  expect(cause).toBeInstanceOf(BadConfig)
  expect((cause as BadConfig).problems).toEqual([expect.stringMatching(problem)])
})
