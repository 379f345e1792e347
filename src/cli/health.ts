import http from 'node:http'
import { readConfig } from '../config.ts'
import { type Address, connectOptions, formatAddress } from '../http/address.ts'
import { READY_PATH } from '../proxy/ready-path.ts'
import { type Run, UsageError } from './command.ts'

const PING_TIMEOUT_MS = 5_000
/** Of what a bridge says of its engine. */
const MOST_WORDS = 500

/** `enginebridge health`: asks the bridge whether its engine answers. 0 when it does. */
export const run: Run = async (args, io) => {
  const config = readConfig(args, io.env)
  const { listen, admin } = config
  // Sockets of systemd are not passed to this process, and a listener with TLS asks it for a certificate.
  const plain = listen.find(({ kind }) => kind === 'unix' || (kind === 'tcp' && config['tls-cert'] === undefined))
  const address = plain === undefined || plain.kind === 'inherited' ? admin : plain
  if (address === undefined)
    throw new UsageError('a bridge on fd:// or with TLS alone is asked at its --admin address, which is not given')
  const problem = await ping(address, address === admin ? '/readyz' : READY_PATH)
  if (problem === undefined) return 0
  io.stderr.write(`enginebridge: ${formatAddress(address)}: ${problem}\n`)
  return 1
}

function ping(address: Address, path: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const options = connectOptions(address)
  const request = http.get(
    { ...('path' in options ? { socketPath: options.path } : options), path, timeout: PING_TIMEOUT_MS },
    (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        if (text.length < MOST_WORDS) text += chunk
      })
      const words = (): string => `answered ${answer.statusCode}: ${text.slice(0, MOST_WORDS).trim()}`
      answer.on('end', () => resolve(answer.statusCode === 200 ? undefined : words()))
    },
  )
  request.on('timeout', () => request.destroy(new Error('no answer in time')))
  request.on('error', (error) => resolve(error.message))
  return promise
}
