import type { EngineFacts } from '../../api/engine-facts.ts'
import { isObject, parseJson } from '../../api/json/json.ts'
import {
  type ApiVersion,
  apiVersion,
  formatVersion,
  isNewer,
  isOlder,
  isWithin,
  LOWEST,
  NEWEST,
} from '../../api/version.ts'
import { messageOf, reasonOf } from '../../config/text.ts'
import { readFacts } from '../../engine/discovery.ts'
import { type Address, type EngineAddress, formatAddress } from '../../http/address.ts'
import { ask, type EngineTls, type Reply } from '../ask.ts'
import { type Forecast, forecast } from '../explain/forecast.ts'
import { engineMet, type KnownEngine } from '../explain/releases.ts'
import { type Finding, finding, type Level } from './finding.ts'
import { checkClients, checkNeed } from './needed.ts'
import { checkSocket } from './socket.ts'
import { notHeard } from './tls-words.ts'

const ANSWER_TIMEOUT_MS = 5000
const SSH_MS = 10_000
const LOOPBACK = /^(localhost|127\.|::1$)/

/** Client versions still in use, oldest first; the engine's highest and the newest known one are added. */
const CLIENTS = [18, 20, 22, 24, 30, 35, 38, 40, 41, 43, 44, 51]

export interface EngineReport {
  readonly address: string
  readonly findings: readonly Finding[]
  /** Absent if the engine does not respond. */
  readonly engine?: KnownEngine
  readonly facts?: EngineFacts
  readonly forecasts: readonly Forecast[]
}

const engineIs = (level: Level, says: string, advice?: string): Finding => finding(level, 'engine', says, advice)

/** Checks the engine at an address, and what clients can expect from it. Forwards the socket of one behind ssh. */
export async function checkEngine(
  address: EngineAddress,
  tls: EngineTls | undefined,
  knownClients = true,
): Promise<EngineReport> {
  const where = formatAddress(address)
  if (address.kind !== 'ssh')
    return { address: where, forecasts: [], ...(await checkDirect(address, tls, knownClients)) }
  const { SshForward } = await import('../../http/engine/ssh.ts')
  const forward = new SshForward(address, SSH_MS, () => undefined)
  try {
    const socket = { kind: 'unix', path: await forward.open() } as const
    return { ...(await checkEngine(socket, undefined, knownClients)), address: where }
  } catch (cause) {
    return { address: where, findings: [engineIs('broken', messageOf(cause))], forecasts: [] }
  } finally {
    forward.close()
  }
}

async function checkDirect(
  address: Address,
  said: EngineTls | undefined,
  knownClients: boolean,
): Promise<Omit<EngineReport, 'address' | 'forecasts'> & Partial<EngineReport>> {
  const socket = await checkSocket(address)
  if (socket.state !== 'up') return socket
  const tls = address.kind === 'tcp' ? said : undefined
  const findings = [...socket.findings, ...transport(address, tls)]
  try {
    const { status, body: bytes } = await get(address, '/version', tls)
    const body = status === 200 ? parseJson(bytes.toString()) : undefined
    if (!isObject(body)) return { findings: [...findings, noVersion(status, bytes.toString())] }
    const facts = readFacts(body)
    const engine = engineMet(facts, formatAddress(address))
    findings.push(...aboutEngine(facts), ...checkClients(facts, knownClients), ...checkNeed(facts))
    findings.push(...(await ping(address, tls)))
    return { findings, engine, facts, forecasts: clientsOf(engine).map((client) => forecast(client, engine)) }
  } catch (cause) {
    return { findings: [...findings, silent(cause, address, tls)] }
  }
}

function transport(address: Address, tls: EngineTls | undefined): Finding[] {
  if (address.kind !== 'tcp' || LOOPBACK.test(address.host)) return []
  if (tls === undefined) {
    const says = 'TCP beyond this machine without TLS: anyone who reaches the port is root there'
    return [engineIs('warning', says, 'Use TLS (DOCKER_CERT_PATH), or ssh -L.')]
  }
  if (tls.verify) return []
  const says = 'its certificate is not checked (--engine-tls-verify=false): anybody may stand in its place'
  return [engineIs('warning', says, 'Give the authority that signed it with --engine-tls-ca.')]
}

function noVersion(status: number, text: string): Finding {
  if (/HTTP request to an HTTPS server/i.test(text))
    return engineIs('broken', 'it requires TLS, but was called without', 'Set DOCKER_CERT_PATH or --engine-tls-ca.')
  return engineIs('broken', `GET /version returned ${status} without a version: is that a container engine?`)
}

function silent(cause: unknown, address: Address, tls: EngineTls | undefined): Finding {
  if (cause instanceof Error && cause.name === 'TimeoutError') {
    return engineIs('broken', `GET /version: no answer within ${ANSWER_TIMEOUT_MS / 1000} s; the engine hangs`)
  }
  if (address.kind === 'tcp') return notHeard(cause, tls)
  return engineIs('broken', `GET /version: ${reasonOf(cause)}`)
}

function aboutEngine(facts: EngineFacts): Finding[] {
  const { product = 'Docker Engine', release, os, arch, lowest, highest } = facts
  const range = `${formatVersion(lowest)} to ${formatVersion(highest)}`
  const findings = [engineIs('ok', `${product} ${release}, ${os}/${arch}, serves API ${range}`)]
  if (isNewer(highest, NEWEST)) {
    const says = `it is newer than the rules, which end with ${formatVersion(NEWEST)}`
    findings.push(engineIs('warning', says, 'Look for a newer enginebridge.'))
  }
  if (isOlder(highest, LOWEST))
    findings.push(engineIs('broken', `the rules begin with ${formatVersion(LOWEST)}: this engine is older`))
  // Engines up to 24, of 1.43, serve it themselves.
  if (lowest === LOWEST && isNewer(highest, apiVersion(43)))
    findings.push(engineIs('note', 'its lowest version is that of a bridge: it may be a bridge itself'))
  return findings
}

async function ping(address: Address, tls: EngineTls | undefined): Promise<Finding[]> {
  const { status, body } = await get(address, '/_ping', tls)
  const text = body.toString()
  if (status === 200 && text.trim() === 'OK') return []
  return [engineIs('warning', `GET /_ping answered ${status} ${JSON.stringify(text.slice(0, 80))}, not OK`)]
}

const clientsOf = ({ highest }: KnownEngine): readonly ApiVersion[] =>
  [...new Set([...CLIENTS, highest, NEWEST])]
    .filter((version) => isWithin(version, LOWEST, NEWEST))
    .toSorted((a, b) => a - b)
    .map(apiVersion)

/** One GET, limited in time. */
export const get = (address: Address, path: string, tls?: EngineTls): Promise<Reply> =>
  ask(address, { path, tls, timeoutMs: ANSWER_TIMEOUT_MS })
