import { isObject, type JsonObject, objectOf } from '../../src/api/json/json.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'

/** The container's ports in `ip:host:container/proto`, `host:container` or `container`, with ranges expanded. */
function exposedBy(spec: string): string[] {
  const [port = '', protocol = 'tcp'] = (spec.split(':').at(-1) ?? '').split('/')
  const found = /^(\d+)(?:-(\d+))?$/.exec(port)
  if (found === null) return []
  const first = Number(found[1])
  const last = Math.min(Number(found[2] ?? found[1]), 65535)
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, i) => `${first + i}/${protocol}`)
}

/**
 * Engine 1.6 exposes the ports of PortSpecs and discards the bindings (runconfig/merge.go @v1.6.2); 1.7 ignores the member.
 */
export function exposePortSpecs({ body }: RequestMessage, { client }: StepContext): void {
  if (!isObject(body)) return
  const { PortSpecs: specs } = body
  delete body['PortSpecs']
  if (client >= 19 || !Array.isArray(specs)) return
  const ports = specs.flatMap((spec) => (typeof spec === 'string' ? exposedBy(spec) : []))
  if (ports.length === 0) return
  const exposed: JsonObject = objectOf(body['ExposedPorts'])
  for (const port of ports) exposed[port] ??= {}
  body['ExposedPorts'] = exposed
}
