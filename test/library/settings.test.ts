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

it('a bridge inside a program takes empty lists where none is the default', async () => {
  const bridge = await createBridge({
    settings: {
      state: 'off',
      listen: 'tcp://127.0.0.1:0',
      engine: 'unix:///nowhere/engine.sock',
      'allowed-hosts': [],
      'unversioned-api': [],
    },
  })
  expect(bridge.addresses).toHaveLength(1)
  await bridge.close()
})
