import { asJson, type JsonValue } from '../../src/api/json/json.ts'

/** The header in which the answers of /archive describe the path. */
export const PATH_STAT = 'X-Docker-Container-Path-Stat'

export const statIn = (header = ''): JsonValue | undefined => asJson(Buffer.from(header, 'base64').toString())

export const asStat = (stat: object): string => Buffer.from(JSON.stringify(stat)).toString('base64')
