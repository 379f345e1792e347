import { once } from 'node:events'
import { request } from 'node:http'
import { type JsonValue, parseJson } from '../../../src/api/json/json.ts'

export interface Asked {
  readonly status: number
  readonly bytes: Buffer
  /** Where the answer is JSON and whole. */
  readonly body: JsonValue | undefined
}

/** A call to an engine beside the scenario. */
export async function ask(
  socketPath: string,
  method: string,
  path: string,
  sent: { json?: JsonValue; bytes?: Buffer } = {},
): Promise<Asked> {
  const type = sent.json === undefined ? 'application/x-tar' : 'application/json'
  const asking = request({ socketPath, method, path, headers: { Host: 'docker', 'Content-Type': type } })
  asking.end(sent.json === undefined ? sent.bytes : JSON.stringify(sent.json))
  const [answer] = await once(asking, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const stream = /^\/(build|images\/create)/.test(path)
  const json = answer.headers['content-type'] === 'application/json' && !stream && bytes.length > 0
  return { status: answer.statusCode, bytes, body: json ? parseJson(bytes.toString()) : undefined }
}
