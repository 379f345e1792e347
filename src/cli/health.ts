import http from 'node:http'
import { readConfig } from '../config.ts'
import { type Address, connectOptions, formatAddress } from '../engine/address.ts'
import type { Run } from './command.ts'

const PING_TIMEOUT_MS = 5_000

/** `enginebridge health`: pings the engine through the bridge's first listener. 0 when it answers OK. */
export const run: Run = async (args, io) => {
  const [address] = readConfig(args, io.env).listen
  if (address === undefined) return 1
  const problem = await ping(address)
  if (problem === undefined) return 0
  io.stderr.write(`enginebridge: ${formatAddress(address)}: ${problem}\n`)
  return 1
}

function ping(address: Address): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const options = connectOptions(address)
  const request = http.get(
    { ...('path' in options ? { socketPath: options.path } : options), path: '/_ping', timeout: PING_TIMEOUT_MS },
    (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode === 200 ? undefined : `answered ${answer.statusCode}`))
    },
  )
  request.on('timeout', () => request.destroy(new Error('no answer in time')))
  request.on('error', (error) => resolve(error.message))
  return promise
}
