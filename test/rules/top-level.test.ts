import { expect, test } from 'vitest'
import { essence, isObject, type JsonObject, type JsonValue, parseJson } from '../../src/api/json/json.ts'
import { acceptedRequests } from '../support/recorded-requests.ts'
import { send } from '../support/sent-request.ts'

interface Create {
  readonly name: string
  readonly rest: JsonObject
  readonly hostConfig: JsonObject
}

/** Creates whose members mean something else at the top level: a member of Config at 1.19, an unknown member, types that 1.6 read. */
const READ_OTHERWISE = /^create-(voldriver-bad|unknown-fields|type-binds|cap-string)$/

/** The recorded creates that name a HostConfig. */
const creates = acceptedRequests().flatMap(({ operation, name, body }): Create[] => {
  if (operation !== 'ContainerCreate' || !body.includes('"HostConfig":{"') || READ_OTHERWISE.test(name)) return []
  const { HostConfig: hostConfig, ...rest } = parseJson(body) as JsonObject
  return isObject(hostConfig) ? [{ name, rest, hostConfig }] : []
})

/** Engines up to 26.1 (1.45) read the top level where there is no HostConfig, 28.5 (1.51) and 29 never do. */
const PAIRS: readonly (readonly [client: number, engine: number])[] = [
  ...[18, 19, 20, 21, 22, 24, 30, 45].flatMap((client) => [22, 41, 45, 53].map((engine) => [client, engine] as const)),
  [45, 20],
]

/** The HostConfig that an engine reads of a create body (runconfig/config_unix.go:getHostConfig @v26.1.5; runconfig/config.go @v27.0.1). */
function hostConfigRead(body: JsonValue | undefined, engine: number): JsonObject {
  if (!isObject(body)) return {}
  if (isObject(body['HostConfig'])) return body['HostConfig']
  return engine < 46 ? body : {}
}

/** Sends a create: the HostConfig that the engine reads and the losses reported, or the refusal. */
async function outcome(body: JsonObject, client: number, engine: number) {
  try {
    const sent = await send({ on: 'ContainerCreate', client, engine, body })
    return { read: hostConfigRead(sent.body, engine), said: sent.said }
  } catch (refusal) {
    return { refused: String(refusal), read: {}, said: [] }
  }
}

test.each(PAIRS)(
  'a create of a 1.%i client on an engine of 1.%i asks for the same wherever the members of HostConfig stand',
  async (client, engine) => {
    expect(creates.length).toBeGreaterThan(40)
    for (const { name, rest, hostConfig } of creates) {
      const nested = await outcome({ ...rest, HostConfig: hostConfig }, client, engine)
      for (const top of [
        { ...hostConfig, ...rest },
        { ...hostConfig, ...rest, HostConfig: null },
      ]) {
        const { read, said, refused } = await outcome(top, client, engine)
        const asked = Object.keys(hostConfig).filter((member) => essence(hostConfig[member]) !== undefined)
        const picked = (from: JsonObject): unknown[] => asked.map((member) => [member, from[member]])
        expect(picked(read), name).toEqual(picked(nested.read))
        expect([said, refused], name).toEqual([nested.said, nested.refused])
      }
    }
  },
)

test.each([41, 45])(
  'what a 1.46 client says at the top level, where its engines ignore it, an engine of 1.%i does not see',
  async (engine) => {
    const { body } = await send({ on: 'ContainerCreate', client: 46, engine, body: { Image: 'i', Privileged: true } })
    expect(hostConfigRead(body, engine)['Privileged']).toBeUndefined()
  },
)
