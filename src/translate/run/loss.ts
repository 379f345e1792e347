import { ProxyError } from '../../api/errors.ts'
import { type ApiVersion, apiVersion, formatVersion, isNewer, isOlder } from '../../api/version.ts'
import type { Versions } from '../change.ts'
import type { LossPolicy, LossReport } from '../message.ts'

/** Throws a ProxyError for a value that must not be lost. */
export function refuseLoss({ what, needs, onLoss }: LossReport, losses: LossPolicy, versions: Versions): void {
  if (onLoss === 'refuse' || (onLoss === 'warn' && losses === 'strict'))
    throw new ProxyError('loss', `${what} is not supported by the engine: ${whyLost(needs, versions)}`)
}

/** The engine does not have the field yet, `--engine-api` pins a lower version, or the engine has removed the field. */
function whyLost(version: ApiVersion, { client, target, highest }: Versions): string {
  const has = `the engine has API ${formatVersion(highest)}`
  if (!isOlder(client, version) && isOlder(target, version) && !isNewer(version, highest))
    return `it needs API ${formatVersion(version)} and the engine is asked for ${formatVersion(target)}`
  return isNewer(version, highest)
    ? `it needs API ${formatVersion(version)} and ${has}`
    : `it is gone from API ${formatVersion(apiVersion(version + 1))} on and ${has}`
}
