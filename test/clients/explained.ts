import type { ClientFacts } from './rows.ts'
import { STEPS, type Step } from './steps.ts'

/** Why a cell is red and no bridge could turn it green. Every red cell of docs/clients.md must be named here. */
interface Explanation {
  readonly applies: (client: ClientFacts) => boolean
  readonly steps: readonly Step[]
  readonly why: string
}

/** They apply to every version of Podman. */
const EXPLAINED: readonly Explanation[] = [
  {
    applies: ({ product, note }) => product === 'docker' && note === 'BuildKit',
    steps: ['build'],
    why: 'Podman has no BuildKit (neither `/session` nor `/grpc`), so the client looks for a builder image that it cannot pull; with `DOCKER_BUILDKIT=0` it builds',
  },
  {
    applies: ({ product, note }) => product === 'docker' && note === 'BuildKit',
    steps: ['builder prune'],
    why: 'Podman has no BuildKit, so the client looks for the container of its builder; with `DOCKER_BUILDKIT=0` it prunes',
  },
  {
    applies: ({ product, note }) => product === 'Compose' && note === 'BuildKit',
    steps: [...STEPS, 'recreate'],
    why: 'Podman has no BuildKit, so the image of the service is not built; with `DOCKER_BUILDKIT=0` everything works',
  },
]

export function explanation(engine: string, client: ClientFacts, step: Step): string | undefined {
  if (!engine.startsWith('podman')) return undefined
  return EXPLAINED.find(({ steps, applies }) => steps.includes(step) && applies(client))?.why
}
