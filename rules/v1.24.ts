import { operationNames } from '../src/api/operations.ts'
import {
  byHand,
  type Changes,
  emulated,
  errorForm,
  errorTexts,
  gated,
  recordDropped,
  statusChanged,
} from '../src/translate/ops.ts'
import { isAfterUntil, untilAsksForThePast } from './by-hand/event-window.ts'
import { historyAsBefore112 } from './emulate/event-history.ts'
import hostConfig from './v1.24/host-config.ts'
import lists from './v1.24/lists.ts'
import startCopy from './v1.24/start-copy.ts'
import systemNetworks from './v1.24/system-networks.ts'

const errors = {
  '1.24/errors-json': {
    summary: 'Errors are JSON; before, plain text.',
    see: 'docs/api/version-history.md v1.24; api/server/httputils/errors.go',
    ops: [
      errorForm(operationNames, { before: 'text' }),
      // Engines from 1.12 on send text at older versions, so a target pinned below the client's version does too.
      ...gated({ gate: 'prefix' }, errorForm(operationNames, { after: 'json' })),
    ],
  },
  '1.24/attach-error-head': {
    from: '1.23',
    summary: 'Errors of attach have the type of a raw stream; before, plain text like all errors.',
    see: 'recordings attach-404 1.10.3, 1.12.6, 20.10.24: seen on 1.12, not yet on 1.10',
    ops: errorForm(['ContainerAttach', 'ContainerAttachWebsocket'], { before: 'text' }),
  },
  '1.24/no-command-status': {
    summary: 'A create without a command is a bad request; before, a server error.',
    see: 'version-history.md v1.24; recordings create-nocmd 1.10.3, 1.12.6',
    ops: statusChanged('ContainerCreate', { before: 500, after: 400, when: 'no command specified' }),
  },
  '1.24/start-error-words': {
    summary: 'The error of a start whose command fails has the words of the kernel.',
    see: 'errors/daemon.go @v1.10.3; daemon/start.go @v1.11.2, @v1.12.6; docker/cli cli/command/container/run.go @v20.10.24 (runStartContainerErr): 127 or 126 by these words, else 125',
    ops: errorTexts(
      `
      ContainerStart
        Container command {path}not found or does not exist: executable file not found in $PATH
          up Container command {path}not found or does not exist.
        Container command {path}could not be invoked: permission denied
          up Container command {path}could not be invoked.
      `,
      { everyProfile: true },
    ),
  },
} satisfies Changes

const LOOK = 'GET /events?since=0&until=0'
const event = (time: number): object => ({ status: 'start', timeNano: time * 1e9 })
const answer = (...events: readonly object[]): { body: string } => ({
  body: Buffer.from(events.map((one) => JSON.stringify(one)).join('\n')).toString('base64'),
})
const many = Array.from({ length: 70 }, (_, i) => event(i + 1))

const events = {
  '1.24/events-window': {
    summary:
      'Past events end with until, which selects them even without since; up to engine 1.11 only since selects them, until only ends the stream, and 64 events are remembered.',
    see: 'api/server/router/system/system_routes.go:getEvents, daemon/events/events.go @v1.11.2, @v1.12.6; seen on engines 1.9.1, 1.10.3 and 20.10; recordings of 1.10.3 and 1.12.6, events-empty-window',
    ops: [
      emulated('SystemEvents', 'past events start with since and the 64 newest ones, and do not end with until', {
        part: 'head',
        requestUp: historyAsBefore112,
      }),
      byHand('SystemEvents', 'until selects past events', { part: 'head', requestDown: untilAsksForThePast }),
      recordDropped(
        'SystemEvents',
        'events after until are left out',
        (record, context) => isAfterUntil(record, context, true),
        { leg: 'responseUp' },
      ),
    ],
    examples: {
      'SystemEvents requestUp': [
        ['until=5', 'since=5.000000000&until=5'],
        ['since=-1&until=0', ''],
        [
          'since=-62167219200&until=5',
          'since=3.000000000&until=7.000000000',
          { calls: { [LOOK]: answer(event(3), event(7)) } },
        ],
        ['since=0', 'since=7.000000000', { calls: { [LOOK]: answer(...many) } }],
        ['since=9&until=6', 'since=6.000000000&until=6', { calls: { [LOOK]: answer(event(3)) } }],
      ],
      'SystemEvents requestDown': [
        ['until=5', 'since=1&until=5'],
        ['since=6&until=5', /^`since` time \(6\) cannot be after `until` time \(5\)$/],
      ],
      'SystemEvents responseUp': [
        [{ query: 'since=1&until=5', body: { status: 'die', time: 5, timeNano: 5_000_000_001 } }, 'dropped'],
        [{ query: 'since=1&until=5', body: { status: 'die', time: 5 } }, { body: { status: 'die', time: 5 } }],
      ],
    },
  },
} satisfies Changes

export default [errors, events, startCopy, hostConfig, lists, systemNetworks] satisfies readonly Changes[]
