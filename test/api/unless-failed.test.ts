import { expect, it } from 'vitest'
import { ProxyError, unlessFailed } from '../../src/api/errors.ts'

it('a further call that a client can do without may fail, but a fault of the bridge is not passed over', async () => {
  expect(await unlessFailed(Promise.resolve(1))).toBe(1)
  expect(await unlessFailed(Promise.reject(new ProxyError('engine-broke-off', 'gone')))).toBeUndefined()
  await expect(unlessFailed(Promise.reject(new TypeError('x is not a function')))).rejects.toThrow(TypeError)
})
