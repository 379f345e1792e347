import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

// Libraries that most runs do not need, loaded on first use: together they are as large as our own code.

const yaml = (): typeof import('yaml') => require('yaml')

/** Settings and policy files. Scalars stay strings: `off` is not false and `1.40` is not the number 1.4. */
export const parseYaml = (text: string): unknown => yaml().parse(text, { schema: 'failsafe' })

/** For version ranges. */
export const semver = (): typeof import('semver') => require('semver')

/** For logs on a terminal. */
export const pretty = (): typeof import('pino-pretty') => require('pino-pretty')
