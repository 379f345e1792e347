import { isObject } from '../../src/api/json/json.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { EmulationContext, ResponseMessage } from '../../src/translate/message.ts'

/** Engines 1.11 and 1.12 named the container by its whole id, up to 1.10 not at all. */
const NAMED_FROM = apiVersion(23)
const SINCE = apiVersion(25)

/** A paused and a restarting container were running up to 1.12. */
const RUNS = /^cannot remove container ".*": container is (?:running|restarting|paused)/

/** Engines from 28 on name the container that runs as it was asked for. */
export async function nameById(message: ResponseMessage, context: EmulationContext): Promise<void> {
  if (context.client < NAMED_FROM || !RUNS.test(message.text ?? '')) return
  const asked = context.call.params['name'] ?? ''
  const { body } = await context.engineCall('GET', `/containers/${encodeURIComponent(asked)}/json`)
  if (isObject(body)) message.text = `You cannot remove a running container ${body['Id']}. `
}

const NAMED = /^You cannot remove a (?:running|restarting|paused) container (\w+)\./

/** Engines 1.13 to 17.04 had these words; those before have them from 1.25/error-words. */
export async function stopBeforeRemoval(message: ResponseMessage, context: EmulationContext): Promise<void> {
  if (context.client < SINCE) return
  if (RUNS.test(message.text ?? '')) await nameById(message, context)
  const id = NAMED.exec(message.text ?? '')?.[1]
  if (id !== undefined)
    message.text = `You cannot remove a running container ${id}. Stop the container before attempting removal or use -f`
}
