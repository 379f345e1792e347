import { onSide } from '../../src/api/shapes/shape.ts'
import { IpamConfig } from '../../src/api/shapes/shapes.ts'
import { type Op, retyped } from '../../src/translate/ops.ts'

/** Older engines show a gateway with the mask of its subnet; newer clients parse an address. */
export const gatewayWithoutMask = (address: string): Op =>
  retyped(onSide(IpamConfig, 'response'), 'Gateway', {
    samples: [[`${address}/64`, address]],
    toNewer: (value) => (typeof value === 'string' ? value.replace(/\/\d+$/, '') : undefined),
  })
