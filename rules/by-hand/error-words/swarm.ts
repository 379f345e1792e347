import { operationNames } from '../../../src/api/operations.ts'
import type { Words } from './words.ts'

/** Engine 1.12 derived the status from the words "this node" (api/server/httputils/errors.go @v1.12.6; recorded at 1.24). */
export const swarm: readonly Words[] = [
  {
    on: operationNames.filter((name) => /^(Swarm|Node|Service|Task)(?!ata)/.test(name)),
    says: /^This node is /,
    was: [[24, 406]],
  },
]
