import { type Cell, redLines, reds, sameClient } from './page.ts'
import { type ClientFacts, tableLines } from './rows.ts'
import { STEPS } from './steps.ts'

const SIGN = { works: 'works', fails: '**fails**', none: '–' } as const

const MENDED = [
  [
    'Its highest version is 1.41',
    'newer clients refuse it; `--announce-api 1.52` lets them in, and they are translated down',
  ],
  ['A body of attach becomes input of the container', 'the bridge takes it off: dockerode sends its options there'],
  [
    'A host port left open is given out at the create and shown as if asked for',
    'a start with the same HostConfig is met by it',
  ],
  [
    'A removed container or volume is `remove` in the events',
    'clients below 1.30 get `destroy`: their `docker run --rm` waits for it',
  ],
  ['Errors are JSON in every version', 'text below 1.24, as engines had it'],
  ['Some errors (a failed pull or push) do not say that they are JSON', 'they do: clients would show the braces'],
  [
    'It also has an API of its own (`/v5.4.2/libpod/…`: `podman --remote`, podman-py)',
    'it passes untouched, with the version that the client says; a policy refuses it, as all that it does not know',
  ],
  ['`_ping` and `/version` say 1.41', 'both say what `--announce-api` announces; the range of its own API is left'],
] as const

const LEFT = [
  'Images have their full names (`docker.io/library/busybox:latest`) in events and lists; they are left as they are.',
  'Events of its own (`init`, `cleanup`, `exec_died` …) are passed on; clients ignore what they do not know.',
  'Events up to a moment that is over (`docker events --since … --until …`) are few or none of those that were: Podman stops reading its log as soon as it begins. With an `until` one second ahead all are told.',
  'Its list of running containers leaves the paused ones out, and it does not stop them: unpause first, by name.',
  'Stats name a container without the slash, of which the Docker command line then cuts the first letter: `docker stats` shows `eb` for `web`. The id is right.',
  'An endpoint asked for by the name of the default network (`--network name=bridge,…`) is not found; `--network bridge` works.',
  'A MAC address with no network beside it (`docker run --mac-address …`) is ignored.',
  'Clients below 1.35 get a `/version` without `Components`, by which some tell Podman from Docker (docker-api for Ruby): let such a client speak 1.35 or newer.',
  'Command lines 18.09 and 19.03 open a session at every build from 1.31 on, for Podman calls itself experimental, and end with `failed to dial gRPC`; without the bridge as well. They build through a bridge with `--announce-api 1.30`, or with `DOCKER_API_VERSION=1.30`.',
  'There is no BuildKit, no swarm and no link between containers; the bridge says so in the engine’s own words.',
] as const

/** docs/podman.md, from the cells of a run. */
export function podmanPage(cells: readonly Cell[], clients: readonly ClientFacts[]): string {
  const [first] = cells
  if (first === undefined) return ''
  const { release, lowest, highest } = first.engine
  const found = clients.flatMap((client) => cells.find((cell) => sameClient(cell.client, client)) ?? [])
  const rows = tableLines(
    found.map(({ client, report }) => ({ client, columns: STEPS.map((step) => SIGN[report[step].kind]) })),
  )
  const red = reds(found)
  return [
    '# Podman as the engine',
    '',
    `Written by \`npm run clients\` from a run with Podman ${release} (\`podman system service\`), the bridge before it. It says`,
    `that it speaks ${lowest} to ${highest}. A client of a newer version is let in by \`--announce-api 1.52\`.`,
    '',
    `| client | API | ${STEPS.join(' | ')} |`,
    `|---|---|${STEPS.map(() => '---|').join('')}`,
    ...rows,
    '',
    '`–`: the client has no such command.',
    '',
    '## What does not work',
    '',
    ...(red.length === 0 ? ['Nothing of the above.'] : redLines(red)),
    '',
    '## What is different, and what the bridge does about it',
    '',
    '| Podman | the bridge |',
    '|---|---|',
    ...MENDED.map(([what, deed]) => `| ${what} | ${deed} |`),
    '',
    ...LEFT.map((line) => `- ${line}`),
    '',
  ].join('\n')
}
