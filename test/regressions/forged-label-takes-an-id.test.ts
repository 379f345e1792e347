import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { DockerLike } from '../support/docker-like.ts'

const make = stages()
const json = { 'Content-Type': 'application/json' }
const STRICT = 'rules:\n  preset: all\n  bodies: {base: strict, host-mounts: [/usr]}\n'

const post = async (socket: string, path: string, body: object): Promise<{ status: number; text: string }> =>
  call(socket, path, { method: 'POST', headers: json, body: JSON.stringify(body) })

const inspect = async (socket: string, name: string): Promise<Record<string, unknown>> =>
  JSON.parse((await call(socket, `/v1.44/containers/${name}/json`)).text)

async function staged() {
  const engine = new DockerLike()
  await writeFile(join(make.folder(), 'policy.yaml'), STRICT)
  const flags = ['--policy', join(make.folder(), 'policy.yaml')]
  const { socket, engine: listening, bridge } = await make(engine.script, flags)
  const { text } = await post(socket, '/v1.22/containers/create?name=victim', { Image: 'busybox' })
  const id: string = JSON.parse(text).Id
  const start = async (): Promise<void> => {
    expect((await post(socket, `/v1.22/containers/${id}/start`, { Binds: ['/usr:/mnt'] })).status).toBe(204)
    expect(engine.find('victim')?.Id).not.toBe(id)
  }
  /** Every call that comes later comes to a bridge that was started anew. */
  const restarted = async (log = pino({ level: 'silent' })): Promise<string> => {
    await bridge.close()
    return (await make.bridge(listening.socket, flags, { log })).socket
  }
  return { engine, socket, id, start, restarted }
}

/**
 * The label `enginebridge.replaces` said which container stands for which id, and a service gave it to its containers
 * under every policy: made before the victim was started with Binds, such a container had the victim's id after a restart.
 */
describe('a container that was given the label enginebridge.replaces', () => {
  it('by a service, between a create and its start with Binds, does not take that id when the bridge starts anew', async () => {
    const { socket, id, start, restarted } = await staged()
    const task = { ContainerSpec: { Image: 'busybox', Labels: { 'enginebridge.replaces': id } } }
    const made = await post(socket, '/v1.44/services/create', { Name: 'attacker', TaskTemplate: task })
    expect(made.status).toBe(201)
    await start()
    const anew = await restarted()
    expect(await inspect(anew, id)).toMatchObject({ Id: id, Name: '/victim' })
    expect(await inspect(anew, 'attacker.1.task')).toMatchObject({ Name: '/attacker.1.task' })
    expect((await inspect(anew, 'attacker.1.task'))['Id']).not.toBe(id)
  })

  it.each(['before', 'after'])('by its create, %s the start, does not take that id either', async (when) => {
    const { engine, socket, id, start, restarted } = await staged()
    const attack = async (): Promise<void> => {
      await post(socket, '/v1.44/containers/create?name=attacker', { Labels: { 'enginebridge.replaces': id } })
    }
    if (when === 'before') await attack()
    await start()
    if (when === 'after') await attack()
    const anew = await restarted()
    expect(await inspect(anew, id)).toMatchObject({ Id: id, Name: '/victim' })
    engine.held.splice(0, engine.held.length, ...engine.held.filter(({ Name }) => Name === '/attacker'))
    const later = await restarted()
    expect((await call(later, `/v1.44/containers/${id}/json`)).status).toBe(404) // once the victim is gone, too
  })

  it('by an older bridge has its own id only, and the log says so', async () => {
    const { engine, id, start, restarted } = await staged()
    await start()
    const [held] = engine.held
    const state = join(make.folder(), 'state', 'replaced')
    for (const folder of await readdir(state)) await chmod(join(state, folder), 0o777)
    const said: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => said.push(line) })
    const anew = await restarted(log)
    expect((await call(anew, `/v1.44/containers/${id}/json`)).status).toBe(404)
    expect(await inspect(anew, 'victim')).toMatchObject({ Id: held?.Id })
    expect(said.join()).toContain('the label enginebridge.replaces is ignored')
    expect(said.join()).toContain('that no other user can write') // and so does why the folder is not read
  })
})

describe('a start that makes a container again', () => {
  it('works without a folder for its id, which is known until the bridge ends', async () => {
    const engine = new DockerLike()
    const said: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => said.push(line) })
    const state = join(make.folder(), 'file', 'state')
    await writeFile(join(make.folder(), 'file'), '')
    const { socket, engine: listening } = await make(engine.script, ['--state', state], { log })
    const { text } = await post(socket, '/v1.22/containers/create?name=web', { Image: 'busybox' })
    const id: string = JSON.parse(text).Id
    expect((await post(socket, `/v1.22/containers/${id}/start`, { Binds: ['/usr:/mnt'] })).status).toBe(204)
    expect(await inspect(socket, id)).toMatchObject({ Id: id, Name: '/web' })
    expect(said.join()).toContain('give --state a writable folder')
    const later = await make.bridge(listening.socket, ['--state', 'off'])
    expect((await call(later.socket, `/v1.44/containers/${id}/json`)).status).toBe(404)
  })
})
