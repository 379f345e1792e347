import {
  isObject,
  isUnset,
  type JsonValue,
  memberAt,
  membersWhere,
  objectOf,
  stringOf,
  writeJson,
} from '../../src/api/json/json.ts'
import { onlyIn } from '../../src/api/shapes/shape.ts'
import { Healthcheck } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { BoundChange, PodmanChanges } from '../../src/translate/change.ts'
import type { EmulationContext, RequestMessage, StepContext } from '../../src/translate/message.ts'
import { bodyIfAllowed } from '../../src/translate/ops/calls/looked-up.ts'
import { emulated, retyped } from '../../src/translate/ops.ts'

/** Podman 5.8, which says 1.44, reads health checks as Docker does. */
const READS_COMMANDS = apiVersion(44)

function commandOf(test: JsonValue, { engine }: StepContext): JsonValue | undefined {
  if (!Array.isArray(test) || test[0] !== 'CMD' || engine.highest >= READS_COMMANDS) return undefined
  const command = test.slice(1)
  const isSplit = command.length > 1 || /[\s"'[\]]/.test(String(command[0]))
  return isSplit && command.every((word) => typeof word === 'string') ? [writeJson(command)] : undefined
}

/** As daemon/commit.go:merge @v20.10.24 does. Podman's own inspect alone shows that of an image; no policy allows it. */
async function checkOfImage({ body }: RequestMessage, context: EmulationContext, { id }: BoundChange): Promise<void> {
  const check = memberAt(body, 'Healthcheck')
  if (!isObject(body) || !isObject(check)) return
  const { StartInterval: first } = check
  if (!isUnset(first) && first !== check['Interval']) context.ignore('Healthcheck.StartInterval', id)
  if (!isUnset(check['Test'])) return
  delete body['Healthcheck']
  const path = `/libpod/images/${encodeURI(stringOf(body['Image']))}/json`
  const image = objectOf(memberAt(await bodyIfAllowed(path, context), 'Healthcheck'))
  const { Test: test } = image
  if (test === undefined || isUnset(test)) return
  const own = membersWhere(check, (_name, value) => !isUnset(value))
  body['Healthcheck'] = { ...image, ...own, Test: commandOf(test, context) ?? test }
}

const image = (body: object) => ({ calls: { 'GET /libpod/images/web/json': { body: body as never } } })

export default {
  'podman/health-checks': {
    summary:
      'A health check is read word by word, and one without a command is an error: Docker takes that of the image.',
    see: 'pkg/specgenutil/specgen.go @v5.4.2; 5.8 reads commands rightly',
    ops: [
      retyped(onlyIn(Healthcheck, 'ContainerCreate'), 'Test', {
        toNewer: (test, _check, context) => commandOf(test, context),
        samples: [
          [['CMD', 'sh', '-c', 'exit 3'], ['["sh","-c","exit 3"]']],
          [['CMD-SHELL', 'exit 3']],
          [['CMD', 'true']],
        ],
      }),
      emulated('ContainerCreate', 'one without a command has that of the image', { requestUp: checkOfImage }),
    ],
    examples: {
      'ContainerCreate requestUp body': [
        [
          { Image: 'web', Healthcheck: { Interval: 5, Retries: 0 } },
          { Image: 'web', Healthcheck: { Test: ['["sh","a b"]'], Interval: 5, Retries: 2 } },
          image({ Healthcheck: { Test: ['CMD', 'sh', 'a b'], Interval: 9, Retries: 2 } }),
        ],
        [{ Image: 'web', Healthcheck: { Interval: 5 } }, { Image: 'web' }, image({})],
        [{ Healthcheck: { Test: ['NONE'] } }],
        [
          { Healthcheck: { Test: ['CMD', 'true'], StartInterval: 5 } },
          { Healthcheck: { Test: ['CMD', 'true'], StartInterval: 5 } },
          { ignored: ['Healthcheck.StartInterval'] },
        ],
      ],
    },
  },
} satisfies PodmanChanges
