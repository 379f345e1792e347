import { onSide } from '../../src/api/shapes/shape.ts'
import { IpamConfig } from '../../src/api/shapes/shapes.ts'
import { type Op, retyped } from '../../src/translate/ops.ts'

/** Older engines show the gateway of a network with the mask of its subnet; only newer clients need the address alone. */
export const gatewayWithoutMask = (address: string): Op =>
  retyped(onSide(IpamConfig, 'response'), 'Gateway', {
    samples: [[`${address}/64`, address]],
    toNewer: (value) => (typeof value === 'string' ? value.replace(/\/\d+$/, '') : undefined),
  })
