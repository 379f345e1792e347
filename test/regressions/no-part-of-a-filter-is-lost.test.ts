import { expect, it } from 'vitest'
import { editFilters } from '../../src/translate/ops/calls/filter-values.ts'

const edited = (filters: string): string | null => {
  const query = new URLSearchParams({ filters })
  editFilters(query, (values) => values.set('all', ['true']))
  return query.get('filters')
}

// A prune of volumes with such a filter was sent without it, and removed all (engines refuse these).
it.each([
  '{"label":"a=b"}',
  '{"label":["a=b",1]}',
  '{"label":{"a=b":false}}',
  '{"label":{"a=b":1}}',
  '{"label":["a=b"],"name":{"x":true}}',
  '["label"]',
  'label=a',
])('filters in a form that engines refuse reach the engine as they are: %s', (filters) =>
  expect(edited(filters)).toBe(filters),
)

it.each([
  ['{"label":["a=b"]}', '{"label":["a=b"],"all":["true"]}'],
  ['{"label":{"a=b":true}}', '{"label":{"a=b":true},"all":{"true":true}}'],
  ['{"label":null}', '{"label":{},"all":{"true":true}}'],
  ['{}', '{"all":{"true":true}}'],
])('filters in either form keep their values and their form when one is added: %s', (filters, expected) =>
  expect(edited(filters)).toBe(expected),
)
