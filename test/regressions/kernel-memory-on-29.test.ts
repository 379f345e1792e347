import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }

/**
 * Engine 29 knows no limit of kernel memory at any version (HostConfig @docker-v29.0.0), and answers 201 as it ignores one.
 * Clients whose version it serves itself, 1.40 and 1.41 for KernelMemory and up to 1.51 for that of TCP, lost theirs.
 */
describe('a limit of kernel memory before an engine that has none at any version', () => {
  const stage = stages()

  const version = { ApiVersion: '1.56', MinAPIVersion: '1.40', Version: '29.8.0' }
  const onRequest = (_req: IncomingMessage, res: ServerResponse): void =>
    void res.writeHead(201, JSON_TYPE).end('{"Id":"c1","Warnings":[]}')
  const created = async (client: string, member: string, limit: number): Promise<[status: number, text: string]> => {
    const { socket } = await stage({ version, onRequest })
    const body = JSON.stringify({ Image: 'busybox', HostConfig: { [member]: limit } })
    const { status, text } = await call(socket, `/v${client}/containers/create`, {
      method: 'POST',
      headers: JSON_TYPE,
      body,
    })
    return [status ?? 0, text]
  }

  it.each([
    ['1.40', 'KernelMemory'],
    ['1.41', 'KernelMemory'],
    ['1.40', 'KernelMemoryTCP'],
    ['1.51', 'KernelMemoryTCP'],
  ])('is refused to a client of %s: %s', async (client, member) => {
    const [status, text] = await created(client, member, 52428800)
    expect([status, text]).toEqual([400, expect.stringContaining(`${member} is not supported by the engine`)])
    expect((await created(client, member, 0))[0]).toBe(201)
  })

  it('is nothing to clients from 1.42 on, whose engines ignored it too', async () => {
    expect((await created('1.44', 'KernelMemory', 52428800))[0]).toBe(201)
  })
})
