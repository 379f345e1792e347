import type { Operation } from '../../src/api/operations.ts'

/** A secret that tells where it was planted, should it be found. */
type Plant = (place: string) => string

const credentials = (plant: Plant, place: string): object => ({
  username: 'harmless',
  password: plant(`${place}.password`),
  auth: plant(`${place}.auth`),
  identitytoken: plant(`${place}.identitytoken`),
  registrytoken: plant(`${place}.registrytoken`),
})

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export const plantedHeaders = (plant: Plant): Record<string, string> => ({
  'X-Registry-Auth': base64(credentials(plant, 'X-Registry-Auth')),
  'X-Registry-Config': base64({ 'registry.example': credentials(plant, 'X-Registry-Config') }),
  Authorization: `Bearer ${plant('Authorization')}`,
  Cookie: `session=${plant('Cookie')}`,
})

export function plantedQuery(plant: Plant): string {
  const query = new URLSearchParams({
    buildargs: JSON.stringify({ ARG: plant('buildargs') }),
    labels: JSON.stringify({ 'app.password': plant('labels') }),
    filters: JSON.stringify({ label: [`api-token=${plant('filters')}`] }),
    remote: `https://git:${plant('remote.user')}@example/x.git?access_token=${plant('remote.query')}`,
    fromSrc: `https://user:${plant('fromSrc')}@example/image.tar`,
    changes: `ENV NAME=${plant('changes')}`,
    token: plant('token'),
    password: plant('password'),
    nobodyKnowsThis: plant('unknown parameter'),
  })
  // dockerode: options that it does not know become a parameter, JSON and all
  query.append(JSON.stringify({ Env: [`NAME=${plant('parameter name')}`] }), '')
  return `?${query}`
}

/** A body with a secret wherever some operation has one; engines ignore the rest. */
export function plantedBody(plant: Plant): object {
  const spec = { Env: [`NAME=${plant('ContainerSpec.Env')}`], Args: ['--password', plant('Args')] }
  return {
    ...credentials(plant, 'body'),
    Image: 'busybox',
    Cmd: ['login', '--token', plant('Cmd next'), `--password=${plant('Cmd same')}`],
    Entrypoint: ['/usr/bin/curl', '-u', `me:${plant('user')}`],
    Env: [`PASSWORD=${plant('Env')}`, `PLAIN=${plant('Env plain')}`, 'UNSET'],
    EnvMerge: [`MERGED=${plant('EnvMerge')}`],
    Config: { eNv: [`NAME=${plant('Config.Env')}`], Labels: { 'my.secret': plant('Config.Labels') } },
    ContainerConfig: { Cmd: ['/bin/sh', '-c', `#(nop)  ENV NAME=${plant('nop')}`] },
    BuildArgs: { ARG: plant('BuildArgs') },
    Labels: { 'com.example.vault': plant('redactLabels'), db_password: plant('Labels') },
    Data: Buffer.from('harmless').toString('base64'),
    HostConfig: { LogConfig: { Type: 'splunk', Config: { 'splunk-token': plant('LogConfig') } } },
    DriverOpts: { type: 'cifs', o: `addr=h,username=u,password=${plant('DriverOpts')}`, passwd: plant('passwd') },
    Spec: {
      JoinTokens: { Worker: plant('Worker'), Manager: plant('Manager') },
      CAConfig: { SigningCAKey: plant('CA') },
    },
    JoinToken: `SWMTKN-1-${plant('JoinToken')}`,
    RemoteAddrs: ['10.0.0.1:2377'],
    UnlockKey: `SWMKEY-1-${plant('UnlockKey')}`,
    Settings: { Env: [{ Name: 'KEY', Value: plant('plugin Env') }, { KEY: plant('Env of objects') }] },
    TaskTemplate: { ContainerSpec: spec, RegistryAuth: plant('RegistryAuth') },
    History: [{ CreatedBy: `RUN |1 ARG=${plant('CreatedBy')} /bin/sh -c true` }],
    Url: `https://user:${plant('URL')}@example/x`,
    Header: `Authorization: Basic ${Buffer.from(plant('Basic')).toString('base64')}`,
  }
}

/** Secrets and configs have theirs in `Data`, PluginSet a bare list. */
export function plantedFor({ name }: Operation, plant: Plant): unknown {
  if (name === 'PluginSet') return [`NAME=${plant('PluginSet')}`]
  const body = plantedBody(plant)
  return /^(Secret|Config)/.test(name) ? { ...body, Data: plant('Data') } : body
}
