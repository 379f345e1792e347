import { PODMAN } from '../live/support/suites.ts'
import type { ClientFacts } from './rows.ts'
import { STEPS, type Step } from './steps.ts'

/** Why a cell is red and no bridge could turn it green. Every red cell of docs/clients.md must be named here. */
interface Explanation {
  readonly engine: string
  readonly applies: (client: ClientFacts) => boolean
  readonly steps: readonly Step[]
  readonly why: string
}

const EXPLAINED: readonly Explanation[] = [
  {
    engine: PODMAN,
    applies: ({ product, note }) => product === 'docker' && note === 'BuildKit',
    steps: ['build'],
    why: 'Podman has no BuildKit (neither `/session` nor `/grpc`), so the client looks for a builder image that it cannot pull; with `DOCKER_BUILDKIT=0` it builds',
  },
  {
    engine: PODMAN,
    applies: ({ product, note }) => product === 'docker' && note === 'BuildKit',
    steps: ['builder prune'],
    why: 'Podman has no BuildKit, so the client looks for the container of its builder; with `DOCKER_BUILDKIT=0` it prunes',
  },
  {
    engine: PODMAN,
    applies: ({ product, note }) => product === 'Compose' && note === 'BuildKit',
    steps: [...STEPS, 'recreate'],
    why: 'Podman has no BuildKit, so the image of the service is not built; with `DOCKER_BUILDKIT=0` everything works',
  },
]

export function explanation(engine: string, client: ClientFacts, step: Step): string | undefined {
  const found = EXPLAINED.find((one) => one.engine === engine && one.steps.includes(step) && one.applies(client))
  return found?.why
}
