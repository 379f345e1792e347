import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

// Libraries that most runs do not need, loaded on first use: together they are as large as our own code.

/** For settings and policy files. */
export const yaml = (): typeof import('yaml') => require('yaml')

/** For version ranges. */
export const semver = (): typeof import('semver') => require('semver')

/** For logs on a terminal. */
export const pretty = (): typeof import('pino-pretty') => require('pino-pretty')
