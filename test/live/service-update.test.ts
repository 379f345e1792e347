import { beforeAll, expect, test } from 'vitest'
import { call } from '../support/client.ts'
import { bridgeSocket } from './support/bridge.ts'
import { Client } from './support/client.ts'
import { startInMemory } from './support/engine-script.ts'
import { onEngines, withBridge } from './support/suites.ts'

/** Each kind of what engines drop from specs of older versions (adjustForAPIVersion). */
const SPEC = {
  TaskTemplate: {
    ContainerSpec: {
      Image: 'busybox',
      CapabilityDrop: ['CAP_CHOWN'],
      Healthcheck: { Test: ['NONE'], StartInterval: 1_000_000_000 },
      Mounts: [{ Type: 'tmpfs', Target: '/t', TmpfsOptions: { SizeBytes: 1_048_576, Options: [['noexec']] } }],
      OomScoreAdj: 5,
      Privileges: { NoNewPrivileges: true, Seccomp: { Mode: 'default' }, AppArmor: { Mode: 'disabled' } },
      Sysctls: { 'net.core.somaxconn': '100' },
      Ulimits: [{ Name: 'nofile', Hard: 20, Soft: 10 }],
    },
    Placement: { MaxReplicas: 5 },
    Resources: { Limits: { Pids: 50 } },
  },
  Mode: { Replicated: { Replicas: 0 } },
}

await onEngines(['28.5'], ({ name }) => {
  // Its own: a swarm would show in the answers that other tests read.
  const socket = bridgeSocket()
  const engine = Client.ofEngine(socket)
  beforeAll(() => startInMemory(name, socket), 60_000)
  const bridge = withBridge({ name, socket }, [])
  beforeAll(async () => {
    const address = { ListenAddr: '127.0.0.1:2377', AdvertiseAddr: '127.0.0.1' }
    expect((await engine.post('/swarm/init', address)).status).toBe(200)
  })

  test.for([
    ['a client', 'x', '1.24'],
    ['docker-py 4', 'docker-sdk-python/4.4.4', '1.40'],
    ['docker-py 7.1', 'docker-sdk-python/7.1.0', '1.44'],
  ] as const)(
    'a service that %s (%s) reads at %s and writes back keeps all its settings',
    async ([, agent, version]) => {
      const path = '/services/kept'
      await engine.delete(path)
      const created = await engine.post('/services/create', { ...SPEC, Name: 'kept' })
      expect(created.said).toMatch(/^201/)
      const before = (await engine.get(path)).at('Spec')
      const asked = { headers: { 'User-Agent': agent } }
      const read = await call(bridge.socket, `/v${version}${path}`, asked)
      const { Spec, Version } = JSON.parse(read.text) as { Spec: unknown; Version: { Index: number } }
      const update = `/v${version}${path}/update?version=${Version.Index}`
      const written = await call(bridge.socket, update, { ...asked, method: 'POST', body: JSON.stringify(Spec) })
      expect(written.text).not.toContain('message')
      expect((await engine.get(path)).at('Spec')).toEqual(before)
    },
  )
})
