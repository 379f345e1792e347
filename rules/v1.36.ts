import { isObject } from '../src/api/json/json.ts'
import type { Change } from '../src/translate/change.ts'
import { recordDropped } from '../src/translate/ops.ts'

export default [
  {
    id: '1.36/exec-die-event',
    gate: 'release',
    summary: 'The end of a command in a container is an event.',
    see: 'docs/api/version-history.md v1.36',
    ops: [
      recordDropped(
        'SystemEvents',
        'the end of a command is an event',
        (record) => isObject(record) && (record['Action'] === 'exec_die' || record['status'] === 'exec_die'),
        {
          drops: [{ Type: 'container', Action: 'exec_die', Actor: { Attributes: { exitCode: '0' } } }],
          keeps: [{ Type: 'container', Action: 'exec_start: ls' }],
        },
      ),
    ],
  },
] satisfies Change[]
