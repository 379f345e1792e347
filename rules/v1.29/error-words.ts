import { apiVersion } from '../../src/api/version.ts'
import type { Change } from '../../src/translate/change.ts'
import { byHand } from '../../src/translate/ops.ts'

/** 1.25/error-words makes the errors of engines up to 1.12. */
const SINCE = apiVersion(25)
const NOT_STOPPED = /^You cannot remove a (?:running|restarting|paused) container (\w+)\./
const NO_PLUGIN = /^error looking up logging plugin (\S+): plugin "[^"]*" not found$/

const ID = '0123'.repeat(16)

export const errorWords = {
  summary: 'Errors name the state of a container that cannot be removed, and the plugin of an unknown log driver.',
  see: 'daemon/delete.go:cleanupContainer, daemon/logger @v1.13.1, @v17.03.2-ce, @v17.05.0-ce',
  ops: [
    byHand('ContainerDelete', 'every container that is not stopped counts as running', {
      part: 'error',
      profile: 'engine',
      responseDown: (message, { client }) => {
        const id = NOT_STOPPED.exec(message.text ?? '')?.[1]
        if (id === undefined || client < SINCE) return
        message.text = `You cannot remove a running container ${id}. Stop the container before attempting removal or use -f`
      },
    }),
    byHand('ContainerCreate', 'the error names the log driver, not a plugin', {
      part: 'error',
      profile: 'engine',
      responseDown: (message, { client }) => {
        const driver = NO_PLUGIN.exec(message.text ?? '')?.[1]
        if (driver === undefined || client < SINCE) return
        message.status = 500
        message.text = `logger: no log driver named '${driver}' is registered`
      },
    }),
  ],
  examples: {
    'ContainerDelete responseDown error': [
      [
        `409 You cannot remove a paused container ${ID}. Unpause and then stop the container before attempting removal or force remove`,
        `409 You cannot remove a running container ${ID}. Stop the container before attempting removal or use -f`,
      ],
    ],
    'ContainerCreate responseDown error': [
      [
        '400 error looking up logging plugin x: plugin "x" not found',
        "500 logger: no log driver named 'x' is registered",
      ],
    ],
  },
} satisfies Change
