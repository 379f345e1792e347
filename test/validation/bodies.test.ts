import { describe, expect, it } from 'vitest'
import { look } from '../support/look.ts'
import { fromRow, type Row, testBrokenRules } from '../support/validation-rows.ts'

const hostConfig = (version: string, members: object, finds: Row[3], native: Row[4] | undefined = undefined): Row => {
  const row = [
    `HostConfig ${JSON.stringify(members)}`,
    `${version} POST /containers/create`,
    { Image: 'x', HostConfig: members },
    finds,
  ] as const
  return native === undefined ? row : [...row, native]
}
const config = (version: string, members: object, finds: Row[3], native: Row[4] | undefined = undefined): Row => {
  const row = [
    `the configuration ${JSON.stringify(members)}`,
    `${version} POST /containers/create`,
    { Image: 'x', ...members },
    finds,
  ] as const
  return native === undefined ? row : [...row, native]
}
const LATER = 'is a member of API'

const limits: readonly Row[] = [
  hostConfig('1.19', { BlkioWeight: 9 }, ['HostConfig.BlkioWeight', 'must be from 10 to 1000']),
  hostConfig('1.20', { BlkioWeight: 1001 }, ['HostConfig.BlkioWeight', 'must be from 10 to 1000']),
  hostConfig('1.22', { BlkioWeight: 1001 }, ['HostConfig.BlkioWeight', 'must be from 10 to 1000']),
  hostConfig('1.18', { BlkioWeight: 500 }, ['HostConfig.BlkioWeight', LATER]),
  hostConfig('1.21', { MemorySwappiness: 101 }, ['HostConfig.MemorySwappiness', 'must be from 0 to 100']),
  hostConfig('1.21', { MemorySwappiness: -2 }, ['HostConfig.MemorySwappiness', 'must be from 0 to 100']),
  hostConfig('1.18', { MemorySwap: 1048576 }, ['HostConfig.MemorySwap', 'must be used with Memory']),
  hostConfig('1.22', { Memory: 67108864, MemorySwap: 1048576 }, [
    'HostConfig.MemorySwap',
    'must be used with Memory and be larger',
  ]),
  hostConfig('1.22', { ShmSize: -1 }, ['HostConfig.ShmSize', 'must be greater than 0']),
  hostConfig('1.21', { ShmSize: 67108864 }, ['HostConfig.ShmSize', LATER]),
  hostConfig('1.22', { RestartPolicy: { Name: 'always', MaximumRetryCount: 3 } }, [
    'HostConfig.RestartPolicy.MaximumRetryCount',
    'bounds the retries of on-failure',
  ]),
  hostConfig('1.22', { RestartPolicy: { Name: 'on-failure', MaximumRetryCount: -1 } }, [
    'HostConfig.RestartPolicy.MaximumRetryCount',
    'bounds the retries',
  ]),
  hostConfig('1.22', { RestartPolicy: { Name: 'sometimes' } }, [
    'HostConfig.RestartPolicy.Name',
    'must be always, unless-stopped or on-failure',
  ]),
  hostConfig('1.20', { RestartPolicy: { Name: 'unless-stopped' } }, [
    'HostConfig.RestartPolicy.Name',
    'must be always or on-failure',
  ]),
]

const forms: readonly Row[] = [
  hostConfig('1.18', { Binds: ['rel:/x'] }, ['HostConfig.Binds[0]', 'must have an absolute path']),
  hostConfig('1.19', { Binds: ['/a:/b', 'vol:/x:ro'] }, ['HostConfig.Binds[1]', 'must have an absolute path']),
  hostConfig('1.19', { Binds: ['/a:b'] }, ['HostConfig.Binds[0]', 'must be host-src:container-dest']),
  hostConfig('1.21', { Binds: ['vol:x'] }, ['HostConfig.Binds[0]', 'must be host-src:container-dest or volume-name']),
  hostConfig('1.22', { Binds: ['/a:/b:Z'] }, ['HostConfig.Binds[0]', 'must be host-src:container-dest or volume-name']),
  hostConfig('1.22', { PortBindings: { 'http/tcp': [{ HostPort: '80' }] } }, [
    'HostConfig.PortBindings.http/tcp',
    'must be a port and its protocol',
  ]),
  hostConfig('1.22', { PortBindings: { '': [{ HostPort: '80' }] } }, [
    'HostConfig.PortBindings.',
    'must be a port and its protocol',
  ]),
  hostConfig('1.22', { PortBindings: { '80/tcp': [{ HostPort: 80 }] } }, [
    'HostConfig.PortBindings.80/tcp[0].HostPort',
    'must be a string',
  ]),
  hostConfig('1.20', { NetworkMode: 'mine' }, ['HostConfig.NetworkMode', 'must be bridge, host, none or container:']),
  hostConfig('1.22', { PidMode: 'bogus' }, ['HostConfig.PidMode', 'must be empty, host or container:']),
  hostConfig('1.22', { Links: ['db'] }, ['HostConfig.Links[0]', 'must be container_name:alias']),
  hostConfig('1.22', { VolumesFrom: ['x:zz'] }, ['HostConfig.VolumesFrom[0]', 'must be <container name>']),
  hostConfig('1.22', { ExtraHosts: ['bad'] }, ['HostConfig.ExtraHosts[0]', 'must be hostname:IP']),
  hostConfig('1.22', { Ulimits: [{ Name: 'nofile', Soft: '1024', Hard: 2048 }] }, [
    'HostConfig.Ulimits[0].Soft',
    'must be an integer',
  ]),
  hostConfig('1.22', { Devices: [{ PathOnHost: '/dev/x', CgroupPermissions: 'rx' }] }, [
    'HostConfig.Devices[0].CgroupPermissions',
    'must be made of r, w and m',
  ]),
  hostConfig('1.22', { Devices: ['/dev/x'] }, ['HostConfig.Devices[0]', 'must be an object']),
  hostConfig('1.18', { LogConfig: { Type: 'gelf' } }, [
    'HostConfig.LogConfig.Type',
    'must be one of json-file, syslog, journald, none',
  ]),
  hostConfig('1.21', { LogConfig: { Type: 'splunk' } }, ['HostConfig.LogConfig.Type', 'must be one of']),
  hostConfig('1.22', { BlkioDeviceReadBps: [{ Path: '/dev/sda', Rate: '1000' }] }, [
    'HostConfig.BlkioDeviceReadBps[0].Rate',
    'must be an integer',
  ]),
  hostConfig('1.22', { BlkioWeightDevice: [{ Path: '/dev/sda', Weight: 5 }] }, [
    'HostConfig.BlkioWeightDevice[0].Weight',
    'must be from 10 to 1000',
  ]),
  hostConfig('1.22', { Tmpfs: ['/run'] }, ['HostConfig.Tmpfs', 'must be an object']),
  hostConfig('1.21', { Tmpfs: { '/run': '' } }, ['HostConfig.Tmpfs', LATER]),
  hostConfig('1.19', { CapAdd: 'NET_ADMIN' }, ['HostConfig.CapAdd', 'must be a list']),
  hostConfig('1.20', { CapDrop: 'NET_ADMIN' }, ['HostConfig.CapDrop', 'must be a list']),
  hostConfig('1.18', { Memory: '1g' }, ['HostConfig.Memory', 'must be an integer']),
  hostConfig('1.18', { Privileged: 1 }, ['HostConfig.Privileged', 'must be true or false']),
  hostConfig('1.18', { CpuPeriod: 1000 }, ['HostConfig.CpuPeriod', LATER]),
  hostConfig('1.18', { OomKillDisable: true }, ['HostConfig.OomKillDisable', LATER]),
  hostConfig('1.20', { MemoryReservation: 6291456 }, ['HostConfig.MemoryReservation', LATER]),
  hostConfig('1.20', { VolumeDriver: 'local' }, ['HostConfig.VolumeDriver', LATER]),
  hostConfig('1.21', { OomScoreAdj: 5 }, ['HostConfig.OomScoreAdj', LATER]),
  hostConfig('1.22', { LxcConf: { a: 'b' } }, ['HostConfig.LxcConf', 'is a member of API 1.18 to 1.21']),
]

const configuration: readonly Row[] = [
  config('1.22', { Tty: 'yes' }, ['Tty', 'must be true or false']),
  config('1.22', { Env: 'A=b' }, ['Env', 'must be a list']),
  config('1.22', { Env: ['A'] }, ['Env[0]', 'must be VAR=value']),
  config('1.22', { Cmd: 5 }, ['Cmd', 'must be a string or a list of strings']),
  config('1.22', { Labels: ['a=b'] }, ['Labels', 'must be an object']),
  config('1.22', { Volumes: ['/x'] }, ['Volumes', 'must be an object']),
  config('1.22', { Volumes: { '/x': 'rw' } }, ['Volumes./x', 'must be an empty object']),
  config('1.22', { ExposedPorts: { bad: {} } }, ['ExposedPorts.bad', 'must be a port and its protocol']),
  config('1.22', { MacAddress: 'zz' }, ['MacAddress', 'must be a MAC address']),
  config('1.20', { StopSignal: 'SIGINT' }, ['StopSignal', LATER]),
  config('1.21', { StopSignal: -1 }, ['StopSignal', 'must be a string or an unsigned integer']),
  config('1.21', { NetworkingConfig: { EndpointsConfig: { n: {} } } }, ['NetworkingConfig', LATER]),
  config('1.22', { NetworkingConfig: { EndpointsConfig: { n: { Links: 'x' } } } }, [
    'NetworkingConfig.EndpointsConfig.n.Links',
    'must be a list',
  ]),
  config('1.22', { tty: 'yes' }, ['Tty', 'must be true or false']),
  config('1.21', { Hostname: 'h', HostConfig: { NetworkMode: 'host' } }, [
    'Hostname',
    'must be empty when NetworkMode is host',
  ]),
  config('1.22', { Hostname: 'h', hostconfig: { networkmode: 'host' } }, [
    'Hostname',
    'must be empty when NetworkMode is host',
  ]),
]

const others: readonly Row[] = [
  ['a list as the body of create', '1.22 POST /containers/create', [], ['body', 'must be an object']],
  ['text as the body of create', '1.22 POST /containers/create', '{bad', ['body', 'must be JSON']],
  [
    'more than one value as the body of create',
    '1.22 POST /containers/create',
    '{"Image":"x"} more',
    ['body', 'must end where its JSON ends'],
  ],
  [
    'bad JSON at start',
    '1.22 POST /containers/x/start',
    '{bad bad',
    ['body', 'must be JSON'],
    [500, "invalid character 'b' looking for beginning of object key string"],
  ],
  ['bad JSON at start of up to 7 bytes', '1.22 POST /containers/x/start', '{bad', ['body', 'must be JSON']],
  ['a start with a bad bind', '1.18 POST /containers/x/start', { Binds: ['/a:b'] }, ['Binds[0]', 'must be host-src']],
  [
    'a wrapped start with a bad bind',
    '1.22 POST /containers/x/start',
    { HostConfig: { Binds: ['/a:b'] } },
    ['HostConfig.Binds[0]', 'must be host-src'],
  ],
  [
    'an update with swap alone',
    '1.22 POST /containers/x/update',
    { MemorySwap: 5 },
    ['MemorySwap', 'must be used with Memory'],
  ],
  [
    'an update with a weight out of range',
    '1.22 POST /containers/x/update',
    { BlkioWeight: 5 },
    ['BlkioWeight', 'must be from 10 to 1000'],
  ],
  [
    'an exec whose Tty is a number',
    '1.22 POST /containers/x/exec',
    { Cmd: ['a'], Tty: 1 },
    ['Tty', 'must be true or false'],
  ],
  ['an exec with keys at 1.21', '1.21 POST /containers/x/exec', { Cmd: ['a'], DetachKeys: 'a' }, ['DetachKeys', LATER]],
  [
    'an exec with keys that are none',
    '1.22 POST /containers/x/exec',
    { Cmd: ['a'], DetachKeys: 'ctrl-1' },
    ['DetachKeys', 'must be one character'],
  ],
  ['a copy of a number', '1.18 POST /containers/x/copy', { Resource: 5 }, ['Resource', 'must be a string']],
  ['a commit with a bad variable', '1.20 POST /commit?container=x', { Env: ['A'] }, ['Env[0]', 'must be VAR=value']],
  ['credentials that are numbers', '1.22 POST /auth', { username: 1 }, ['username', 'must be a string']],
  [
    'a volume with options in a list',
    '1.21 POST /volumes/create',
    { Name: 'v', DriverOpts: ['a'] },
    ['DriverOpts', 'must be an object'],
  ],
  ['a network without a name', '1.21 POST /networks/create', { Driver: 'bridge' }, ['Name', 'is mandatory']],
  [
    'a network with a subnet that is a number',
    '1.21 POST /networks/create',
    { Name: 'n', IPAM: { Config: [{ Subnet: 10 }] } },
    ['IPAM.Config[0].Subnet', 'must be a string'],
  ],
  ['an internal network at 1.21', '1.21 POST /networks/create', { Name: 'n', Internal: true }, ['Internal', LATER]],
  [
    'options of address management at 1.21',
    '1.21 POST /networks/create',
    { Name: 'n', IPAM: { Options: { a: 'b' } } },
    ['IPAM.Options', LATER],
  ],
  [
    'a connection with an endpoint at 1.21',
    '1.21 POST /networks/n/connect',
    { Container: 'c', EndpointConfig: { Aliases: ['a'] } },
    ['EndpointConfig', LATER],
  ],
  ['a connection with a number', '1.21 POST /networks/n/connect', { Container: 5 }, ['Container', 'must be a string']],
  [
    'a forced disconnection at 1.21',
    '1.21 POST /networks/n/disconnect',
    { Container: 'c', Force: true },
    ['Force', LATER],
  ],
]

describe('limits of a container', () => testBrokenRules(limits.map(fromRow)))
describe('forms of members of HostConfig', () => testBrokenRules(forms.map(fromRow)))
describe('the configuration of a container', () => testBrokenRules(configuration.map(fromRow)))
describe('other bodies', () => testBrokenRules(others.map(fromRow)))

const FINE: readonly [version: string, body: object | null][] = [
  [
    '1.18',
    {
      Image: 'x',
      Cmd: 'date',
      Entrypoint: null,
      Env: null,
      Volumes: { '/x': {} },
      ExposedPorts: { '80/tcp': {}, '53/udp': {} },
    },
  ],
  ['1.18', { image: 'x', HOSTCONFIG: { binds: ['/a:/b:ro', '/c:/d'] } }],
  [
    '1.18',
    { Image: 'x', HostConfig: { ShmSize: 0, Tmpfs: null, BlkioWeight: 0, MemorySwappiness: null, GroupAdd: [] } },
  ],
  [
    '1.18',
    { Image: 'x', HostConfig: { Memory: 67108864, MemorySwap: -1, RestartPolicy: { Name: '', MaximumRetryCount: 0 } } },
  ],
  ['1.18', { Image: 'x', Memory: 5, HostConfig: { LxcConf: [], Nonesuch: true, NetworkMode: 'container:a' } }],
  ['1.19', { Image: 'x', HostConfig: { BlkioWeight: 10, Ulimits: [{ Name: 'nofile', Soft: 1, Hard: 2 }] } }],
  ['1.20', { Image: 'x', Hostname: 'h', HostConfig: { NetworkMode: 'host', Binds: ['vol:/x'] } }],
  [
    '1.21',
    {
      Image: 'x',
      StopSignal: 15,
      HostConfig: { MemorySwappiness: -1, NetworkMode: 'mine', LogConfig: { Type: 'awslogs', Config: { a: 'b' } } },
    },
  ],
  [
    '1.22',
    {
      Image: 'x',
      HostConfig: {
        RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 },
        ShmSize: 67108864,
        Memory: 9223372036854775807n,
      },
    },
  ],
  [
    '1.22',
    {
      Image: 'x',
      MacAddress: '12:34:56:78:9a:bc',
      HostConfig: { Devices: [{ PathOnHost: '/dev/a', PathInContainer: '/dev/b', CgroupPermissions: 'mrw' }] },
    },
  ],
  [
    '1.44',
    {
      Image: 'x',
      HostConfig: { Binds: ['/a:/b:Z,rslave'], PortBindings: { '80-90/sctp': [] }, LogConfig: { Type: 'local' } },
    },
  ],
  ['1.18', { Image: 'x', HostConfig: { MemorySwappiness: -1 }, NetworkingConfig: { EndpointsConfig: {} } }],
  ['1.22', null],
]

describe('bodies of create as the specification has them, or as every client writes them', () => {
  for (const [version, body] of FINE) {
    const text = JSON.stringify(body, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))
    it(`${text} at ${version} is valid, also in strict mode`, () => {
      expect(look('strict', { operation: 'ContainerCreate', version, body: text })).toEqual({
        findings: [],
        refused: undefined,
      })
    })
  }

  it('an integer of 64 bits is one', () => {
    const body = '{"Image":"x","HostConfig":{"Memory":9223372036854771712}}'
    expect(look('strict', { operation: 'ContainerCreate', version: '1.22', body }).findings).toEqual([])
  })

  it('the last of two spellings counts, as in Go', () => {
    const body = '{"Tty":"yes","tty":true}'
    expect(look('strict', { operation: 'ContainerCreate', version: '1.22', body }).findings).toEqual([])
  })

  it('members that the first specified version has are of older versions too', () => {
    const body = '{"Image":"x","Hostname":"h","HostConfig":{"Privileged":true}}'
    expect(look('strict', { operation: 'ContainerCreate', version: '1.17', query: '?name=a', body }).findings).toEqual(
      [],
    )
  })

  it('a start with a relative bind goes on: engine 1.7 took it there', () => {
    const body = '{"Binds":["rel:/x"]}'
    expect(look('warn', { operation: 'ContainerStart', version: '1.19', body }).refused).toBeUndefined()
  })
})
