import { ProxyError } from '../../src/api/errors.ts'
import {
  isObject,
  isUnset,
  type JsonObject,
  type JsonValue,
  listOf,
  memberAt,
  objectOf,
  stringOf,
  writeJson,
} from '../../src/api/json/json.ts'
import type { BoundChange, PodmanChanges } from '../../src/translate/change.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'
import { bodyIfAllowed } from '../../src/translate/ops/calls/looked-up.ts'
import { emulated, headRetyped } from '../../src/translate/ops.ts'
import { isPodmanBefore } from '../by-hand/podman-release.ts'

const ONE_LINE = 'this Podman commits no value with a line break: 4.9 and newer do'

const words = (value: JsonValue | undefined): string => writeJson([value ?? []].flat())

/** A configuration as Podman's lines of a Dockerfile: of a value it takes one pair of quotes away (pkg/util/utils.go:GetImageConfig). */
function changesOf(config: JsonObject): string[] {
  const { Entrypoint: entrypoint, Cmd: command, Volumes: volumes } = config
  const one = (word: string, value: JsonValue | undefined) => (isUnset(value) ? [] : [`${word} ${value}`])
  return [
    ...(isUnset(entrypoint) ? [] : [`ENTRYPOINT ${words(entrypoint)}`]),
    ...(isUnset(entrypoint) && isUnset(command) ? [] : [`CMD ${words(command)}`]),
    ...listOf(config['Env']).map((variable) => `ENV ${stringOf(variable).replace(/=(.*)$/s, '="$1"')}`),
    ...Object.keys(objectOf(config['ExposedPorts'])).map((port) => `EXPOSE ${port}`),
    ...Object.entries(objectOf(config['Labels'])).map(([name, value]) => `LABEL ${name}="${value}"`),
    ...(isUnset(volumes) ? [] : [`VOLUME ${words(Object.keys(objectOf(volumes)))}`]),
    ...one('USER', config['User']),
    ...one('WORKDIR', config['WorkingDir']),
    ...one('STOPSIGNAL', config['StopSignal']),
    ...listOf(config['OnBuild']).map((line) => `ONBUILD ${line}`),
  ]
}

/** As daemon/commit.go:merge @v20.10.24: the entrypoint of the container stays beside another command. */
async function mergeConfig(message: RequestMessage, context: EmulationContext, { id }: BoundChange): Promise<void> {
  if (message.text !== undefined || !isObject(message.body ?? {})) return
  const config = objectOf(message.body)
  if (!isUnset(config['Healthcheck'])) context.ignore('Healthcheck', id)
  const { query } = message
  const changes = query.getAll('changes')
  const lines = changes.flatMap((change) => change.split('\n'))
  const says = (word: string): boolean => lines.some((line) => line.trim().split(/\s/, 1)[0]?.toLowerCase() === word)
  const path = `/containers/${encodeURIComponent(query.get('container') ?? '')}/json`
  const shown = await bodyIfAllowed(path, context)
  const entrypoint = memberAt(shown, 'Config', 'Entrypoint')
  const signal = String(memberAt(shown, 'Config', 'StopSignal') ?? '')
  const isKept = isUnset(config['Entrypoint']) && !says('entrypoint') && !isUnset(entrypoint)
  if (isKept && (!isUnset(config['Cmd']) || says('cmd'))) config['Entrypoint'] = [entrypoint ?? []].flat()
  if (isUnset(config['StopSignal']) && !/^(?:|15|SIGTERM)$/.test(signal)) config['StopSignal'] = signal
  message.body = config
  if (!isPodmanBefore('4.9', context)) return
  query.delete('changes')
  const own = changesOf(config)
  // Podman would read what follows as a line of its own (strings.Split @v4.3.1).
  if (own.some((change) => change.includes('\n'))) throw new ProxyError('validation', ONE_LINE)
  for (const change of [...own, ...changes]) query.append('changes', change)
}

const told = (...changes: string[]) => ({
  query: String(new URLSearchParams([['container', 'web'], ...changes.map((change) => ['changes', change])])),
})
const container = (Config: JsonObject) => ({ calls: { 'GET /containers/web/json': { body: { Config } } } })

export default {
  'podman/commit-pauses': {
    summary: 'A commit pauses its container only when told to.',
    see: 'pkg/api/handlers/compat/images.go:CommitContainer @v5.4.2',
    ops: headRetyped('ImageCommit', 'query pause', { toNewer: '1', ifMissing: true }),
  },
  'podman/commit-config': {
    summary:
      'A commit loses the signal of its container, and with another command the entrypoint; before 4.9 it needs a body and ignores it.',
    see: 'pkg/api/handlers/compat/images.go:CommitContainer, libpod/container_commit.go @v4.3.1, @v5.4.2; buildah internal/config/override.go',
    ops: emulated('ImageCommit', 'its configuration is merged into that of the container', { requestUp: mergeConfig }),
    examples: {
      'ImageCommit requestUp': [
        [
          { query: 'container=web', body: { Cmd: ['a'], Env: ['A=b "c" $D'], Labels: { l: 'm' }, OnBuild: ['RUN x'] } },
          told('ENTRYPOINT ["/e"]', 'CMD ["a"]', 'ENV A="b "c" $D"', 'LABEL l="m"', 'STOPSIGNAL 3', 'ONBUILD RUN x'),
          container({ Entrypoint: '/e', StopSignal: '3' }),
        ],
        [
          {
            query: 'container=web&changes=CMD+a',
            body: { ExposedPorts: { '81/udp': {} }, Volumes: { '/v': {} }, User: 'u', WorkingDir: '/w' },
          },
          told('ENTRYPOINT ["/e"]', 'CMD []', 'EXPOSE 81/udp', 'VOLUME ["/v"]', 'USER u', 'WORKDIR /w', 'CMD a'),
          container({ Entrypoint: ['/e'], StopSignal: 'SIGTERM' }),
        ],
        [{ query: 'container=web' }, { body: {} }, container({ Entrypoint: ['/e'] })],
        [{ query: 'container=web', body: { User: 'a\nENV X=1' } }, /^this Podman commits no value/, container({})],
      ],
    },
  },
} satisfies PodmanChanges
