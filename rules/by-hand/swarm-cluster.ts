import { shape } from '../../src/api/shapes/shape.ts'

export const SwarmCluster = shape('Cluster', '', [
  { operation: 'SystemInfo', side: 'response', path: 'Swarm.Cluster' },
  { operation: 'SwarmInspect', side: 'response', path: '' },
])
