import { type Changes, eventsAdded } from '../src/translate/ops.ts'

export default {
  '1.36/exec-die-event': { summary: 'The end of an exec is an event.', ops: eventsAdded({ Action: 'exec_die' }) },
} satisfies Changes
