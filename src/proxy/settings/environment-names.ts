import { nearest } from '../../config/nearest.ts'
import type { Environment } from '../../config/process.ts'
import { settingNames } from './settings.ts'

const PREFIX = 'ENGINEBRIDGE_'

export const environmentName = (setting: string): string => `${PREFIX}${setting.toUpperCase().replaceAll('-', '_')}`

/** Variables read elsewhere: --config, `npm start`, the examples' Compose files, tests and benchmarks. */
const BESIDE = ['config', 'candidates', 'image', 'live', 'docker-29', 'ryuk', 'bench-socket-proxy'].map(environmentName)

/** Set by Kubernetes in every pod next to a Service called `enginebridge…`, and by Docker links (see their docs). */
const OF_A_SERVICE = /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/
const OF_A_PORT = /^(?:tcp|udp|sctp):\/\//
const OF_A_LINK = /^ENGINEBRIDGE_(?:NAME$|ENV_)/

const fromOrchestrator = (name: string, value: string): boolean =>
  OF_A_SERVICE.test(name) || (name.endsWith('_PORT') && OF_A_PORT.test(value)) || OF_A_LINK.test(name)

/** Problems with variable names: ignoring a misspelled one could lift a restriction. */
export function unknownVariables(env: Environment): string[] {
  const known = [...settingNames.map(environmentName), ...BESIDE]
  return Object.entries(env)
    .filter(([name, value = '']) => isOurs(name) && !known.includes(name) && !fromOrchestrator(name, value))
    .map(([name]) => `${name} is not a setting${meant(name)}`)
}

/** Catches the wrong case too: `enginebridge_policy` is meant as a setting. */
const isOurs = (name: string): boolean => name.toUpperCase().startsWith(PREFIX)

function meant(name: string): string {
  const setting = name.slice(PREFIX.length).replaceAll('_', '-')
  const near = nearest(setting, [...settingNames, 'config'])
  return near === undefined ? '; enginebridge help lists them' : `; did you mean ${environmentName(near)}?`
}
