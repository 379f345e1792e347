import { PODMAN } from '../live/support/suites.ts'
import type { Client } from './catalogue.ts'
import type { Step } from './steps.ts'

/** Why a cell is red and no bridge could turn it green. Every red cell of docs/clients.md must be named here. */
interface Explanation {
  readonly engine: string
  readonly applies: (client: Client) => boolean
  readonly steps: readonly Step[]
  readonly why: string
}

const compose1 = ({ product, release }: Client): boolean => product === 'Compose' && release.startsWith('1.')

const EXPLAINED: readonly Explanation[] = [
  {
    engine: PODMAN,
    applies: ({ note }) => note === 'BuildKit',
    steps: ['build'],
    why: 'Podman has no BuildKit (neither `/session` nor `/grpc`); with `DOCKER_BUILDKIT=0` it builds',
  },
  {
    engine: PODMAN,
    applies: compose1,
    steps: ['attach'],
    why: 'Podman refuses links, which `docker-compose run` always asks for; the same without the bridge',
  },
  {
    engine: PODMAN,
    applies: compose1,
    steps: ['events', 'rm'],
    why: 'Compose 1 does not find its paused container again on Podman, the same without the bridge; `rm` then meets it still there',
  },
]

export function explanation(engine: string, client: Client, step: Step): string | undefined {
  const found = EXPLAINED.find((one) => one.engine === engine && one.steps.includes(step) && one.applies(client))
  return found?.why
}
