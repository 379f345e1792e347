import { describe, expect, it } from 'vitest'
import { ProxyError } from '../../src/api/errors.ts'
import { isObject } from '../../src/api/json/json.ts'
import { type Call, send } from '../support/sent-request.ts'

/** Engine 20.10 was asked for each of these at its own prefix 1.18: 201, and what it made has the value. */
const CONFINES: readonly [string, Call][] = [
  ['the user of an exec', { on: 'ContainerExec', body: { Cmd: ['id'], User: 'nobody' } }],
  ['a limit of processor time', { on: 'ContainerCreate', body: { HostConfig: { CpuPeriod: 100000, CpuQuota: 5000 } } }],
  ['memory nodes', { on: 'ContainerCreate', body: { HostConfig: { CpusetMems: '0' } } }],
  ['a soft limit of memory', { on: 'ContainerCreate', body: { HostConfig: { MemoryReservation: 4194304 } } }],
  ['a limit of processes', { on: 'ContainerCreate', body: { HostConfig: { PidsLimit: 33 } } }],
  ['a runtime', { on: 'ContainerCreate', body: { HostConfig: { Runtime: 'runsc' } } }],
  ['a number of processors', { on: 'ContainerCreate', body: { HostConfig: { NanoCpus: 500000000 } } }],
  ['a number of processors in an update', { on: 'ContainerUpdate', client: 22, body: { NanoCpus: 500000000 } }],
  ['an internal network', { on: 'NetworkCreate', client: 21, body: { Name: 'n', Internal: true } }],
]

describe.each([41, 51])('what confines and is newer than its client, on an engine of 1.%i', (engine) => {
  it.each(CONFINES)('goes on as it came: %s', async (_name, call) => {
    expect((await send({ ...call, engine })).body).toMatchObject(isObject(call.body) ? call.body : {})
  })

  it('goes on as it came: the limits of a build', async () => {
    const query = 'cpuperiod=100000&cpuquota=5000&cpusetmems=0&cgroupparent=/a&ulimits=[{"Name":"nofile"}]'
    const sent = await send({ on: 'ImageBuild', engine, query })
    expect(sent.query).toMatchObject(Object.fromEntries(new URLSearchParams(query)))
    expect(sent.said).toEqual([])
  })

  it('goes on as it came: the stage of a build, and that it has no network', async () => {
    const sent = await send({ on: 'ImageBuild', engine, query: 'target=first&networkmode=none' })
    expect(sent.query).toMatchObject({ target: 'first', networkmode: 'none' })
    expect(sent.said).toEqual([])
  })

  it('does not keep the network of a build that is another', async () => {
    expect((await send({ on: 'ImageBuild', engine, query: 'networkmode=host' })).query).not.toHaveProperty(
      'networkmode',
    )
  })

  it('does not keep what opens: an exec that is privileged, groups, device rules', async () => {
    const exec = await send({ on: 'ContainerExec', engine, body: { Cmd: ['id'], Privileged: true } })
    expect(exec.body).toEqual({ Cmd: ['id'] })
    const opens = { GroupAdd: ['0'], DeviceCgroupRules: ['c 1:3 rwm'], UsernsMode: 'host' }
    const create = await send({
      ...{ on: 'ContainerCreate', engine },
      body: { HostConfig: { ...opens, RestartPolicy: { Name: 'no' } } },
    })
    for (const name of Object.keys(opens)) expect(create.body).not.toHaveProperty(`HostConfig.${name}`)
  })
})

/** Engines 1.6 to 1.9 refused these, 20.10 takes them at 1.18. */
const TAKEN: readonly [string, Call, said: string][] = [
  [
    'a named volume',
    { on: 'ContainerCreate', body: { HostConfig: { Binds: ['data:/data'] } } },
    'volume data of HostConfig.Binds',
  ],
  [
    'LxcConf that limits',
    {
      on: 'ContainerCreate',
      body: { HostConfig: { LxcConf: [{ Key: 'lxc.cgroup.cpuset.cpus', Value: '0' }] } },
    },
    'HostConfig.LxcConf',
  ],
]

describe('a tag that is set', () => {
  const forced = (client: number, force: string) =>
    send({ on: 'ImageTag', client, engine: 51, losses: 'ignore', query: `repo=a&tag=b&force=${force}` })

  it.each([18, 20, 21])('is a conflict to a client of 1.%i without force, as its own engine had it', async (client) => {
    await expect(forced(client, '0')).rejects.toThrow(/^Conflict: Tag (a:)?b is already set to image 01, if you want/)
  })

  it('moves with force, and for clients from 1.22 on, as engine 1.10 did', async () => {
    expect((await forced(21, '1')).query).toMatchObject({ force: '1' })
    expect((await forced(22, '0')).said).toEqual([])
  })
})

describe.each([41, 51])('what engine 20.10 takes from an older client, on an engine of 1.%i', (engine) => {
  it.each(TAKEN)('is reported and not refused: %s', async (_name, call, said) => {
    expect((await send({ ...call, engine })).said).toContain(said)
  })

  it.each(TAKEN)('is refused where every loss is: %s', async (_name, call) => {
    await expect(send({ ...call, engine, losses: 'strict' })).rejects.toBeInstanceOf(ProxyError)
  })
})
