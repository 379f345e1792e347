import type { Place } from './shape.ts'

export const request = (operation: Place['operation'], path = ''): Place => ({
  operation,
  side: 'request',
  path,
})
export const response = (operation: Place['operation'], path = ''): Place => ({
  operation,
  side: 'response',
  path,
})
