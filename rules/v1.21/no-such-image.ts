import { memberAt } from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'

const NOTE = 'create.image'

export function rememberImage({ body }: RequestMessage, { memory }: StepContext): void {
  const image = memberAt(body, 'Image')
  if (typeof image === 'string') memory.set(NOTE, image)
}

/**
 * `No such image: busybox:x` was `No such image: busybox:x (tag: x)`, and `nosuch:latest` was `nosuch (tag: latest)`
 * if the request had no tag. Clients recognize by this text that they have to pull.
 */
export function withTagInWords(message: ResponseMessage, { memory }: StepContext): void {
  const named = /^No such image: (.+)$/i.exec(message.text ?? '')?.[1]
  if (message.status !== 404 || named === undefined || named.endsWith(')')) return
  const note = memory.get(NOTE)
  const asked = typeof note === 'string' ? note : named
  // parsers.ParseRepositoryTag @v1.8.3: a digest, or the text after the last colon unless it is the port of a registry.
  const digest = asked.indexOf('@') + 1
  const tag = (digest > 0 && asked.slice(digest)) || /:([^:/]+)$/.exec(asked)?.[1] || 'latest'
  message.text = `No such image: ${asked} (tag: ${tag})`
}
