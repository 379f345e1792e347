import { Refusal } from '../../src/api/errors.ts'
import { ContainerListItem, ContainerState, ExecConfig, ExecInspect } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { Answer } from '../../src/translate/message.ts'
import { added, byHand, retyped, statusChanged } from '../../src/translate/ops.ts'
import { editFilters, readFilters } from '../by-hand/filters.ts'

const LISTS = ['ContainerList', 'ContainerListPs'] as const
const IN_PROGRESS = /^removal of container .+ is already in progress$/i

const exited = (value: unknown): string | undefined => (value === 'removing' ? 'exited' : undefined)

export default [
  {
    id: '1.25/status-removing',
    gate: 'release',
    summary: 'A container that is being removed says so; before it was an exited one.',
    see: 'version-history.md v1.25; container/state.go @v1.13.0',
    ops: [
      retyped(ContainerState, 'Status', { toOlder: exited, sides: 'response' }),
      retyped(ContainerListItem, 'State', { toOlder: exited, sides: 'response' }),
      byHand(LISTS, 'no container has the status', {
        part: 'head',
        requestDown: ({ query }) => {
          const statuses = readFilters(query).get('status')
          if (statuses?.includes('removing') !== true) return
          const others = statuses.filter((status) => status !== 'removing')
          if (others.length === 0) throw new Answer(200, [])
          editFilters(query, (filters) => filters.set('status', others))
        },
      }),
    ],
    examples: [
      {
        on: 'ContainerInspect',
        leg: 'responseDown',
        before: { body: { State: { Status: 'removing' } } },
        after: { body: { State: { Status: 'exited' } } },
      },
      {
        on: 'ContainerList',
        leg: 'responseDown',
        before: { body: [{ State: 'removing' }, { State: 'running' }] },
        after: { body: [{ State: 'exited' }, { State: 'running' }] },
      },
      {
        on: 'ContainerList',
        leg: 'requestDown',
        before: { query: 'filters={"status":["removing","exited"]}' },
        after: { query: 'filters={"status":["exited"]}' },
      },
      {
        on: 'ContainerList',
        leg: 'requestDown',
        before: { query: 'filters={"status":["removing"]}' },
        after: { answered: 200 },
      },
    ],
  },
  {
    id: '1.25/delete-in-progress',
    gate: 'release',
    summary: 'Removing a container that is being removed is an error; before it succeeded at once.',
    see: 'version-history.md v1.25; daemon/delete.go @v1.12.6, @v1.13.1 (400), 17.06 on (409)',
    ops: [400, 409].map((after) =>
      statusChanged('ContainerDelete', { before: 204, after, when: IN_PROGRESS, legs: 'down' }),
    ),
    examples: [
      {
        on: 'ContainerDelete',
        leg: 'responseDown',
        before: { status: 409, text: 'removal of container x is already in progress' },
        after: { status: 204 },
      },
      {
        on: 'ContainerDelete',
        leg: 'responseDown',
        before: { status: 409, text: 'You cannot remove a running container x' },
        after: { status: 409 },
      },
    ],
  },
  {
    id: '1.25/ps-health-istask',
    gate: 'release',
    summary: 'Containers can be listed by health, and by whether they are tasks.',
    see: 'version-history.md v1.25; daemon/list.go @v1.13.0',
    ops: [
      byHand(LISTS, 'refused as the older engine refuses them', {
        onLoss: 'refuse',
        loses: 'the filters health and is-task',
        part: 'head',
        requestDown: ({ query }) => {
          const asked = ['health', 'is-task'].find((key) => readFilters(query).has(key))
          if (asked !== undefined) throw new Refusal('loss', `Invalid filter '${asked}'`)
        },
      }),
    ],
    examples: [
      {
        on: 'ContainerList',
        leg: 'requestDown',
        before: { query: 'filters={"is-task":["true"]}' },
        after: { refused: /^Invalid filter 'is-task'$/ },
      },
    ],
  },
  {
    id: '1.25/exec-env',
    gate: 'release',
    summary: 'An exec can have its own environment, and shows its process id.',
    see: 'version-history.md v1.25; api/types/configs.go @v1.13.0',
    ops: [added(ExecConfig, 'Env', { onLoss: 'refuse' }), added(ExecInspect, 'Pid', { up: 0, onLoss: 'ignore' })],
    examples: [
      {
        on: 'ContainerExec',
        leg: 'requestUp',
        before: { body: { Cmd: ['ls'], Env: ['A=b'] } },
        after: { body: { Cmd: ['ls'] } },
      },
      {
        on: 'ContainerExec',
        leg: 'requestDown',
        before: { body: { Cmd: ['ls'], Env: ['A=b'] } },
        after: { refused: /ExecConfig\.Env .* needs API 1\.25/ },
      },
      {
        on: 'ExecInspect',
        leg: 'responseDown',
        before: { body: { ID: 'e', Pid: 7 } },
        after: { body: { ID: 'e' } },
      },
      { on: 'ExecInspect', leg: 'responseUp', before: { body: { ID: 'e' } }, after: { body: { ID: 'e', Pid: 0 } } },
    ],
  },
] satisfies Change[]
