import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

// Libraries that most starts do without, loaded when they are first asked for: together as much as all of our own code.

/** For files: settings, policies. */
export const yaml = (): typeof import('yaml') => require('yaml')

/** For ranges that people type. */
export const semver = (): typeof import('semver') => require('semver')

/** For a log that people read: programs read JSON. */
export const pretty = (): typeof import('pino-pretty') => require('pino-pretty')
