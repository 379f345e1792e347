import { type Cell, redLines, reds, sameClient } from './page.ts'
import { type ClientFacts, tableLines } from './rows.ts'
import { STEPS } from './steps.ts'

const SIGN = { works: 'works', fails: '**fails**', none: '–' } as const

const MENDED = [
  [
    'Its highest version is 1.41, from 5.8 on 1.44',
    'newer clients refuse it; `--announce-api 1.52` lets them in, and they are translated down',
  ],
  ['A body of attach becomes input of the container', 'the bridge takes it off: dockerode sends its options there'],
  [
    'HostConfig is shown with defaults: host ports that were left open, 0.0.0.0, options of binds, limits, annotations',
    'without them; a start with the HostConfig of the create is met, but for devices, dropped or all capabilities and options of a log driver',
  ],
  [
    'Which address a container was given in its network, and the options of its log driver, are not shown',
    'a start that needs another container is refused in a network of one’s own; the log’s options and a MAC address are lost, and the audit record says so',
  ],
  [
    'A build has other forms of `networkmode=none`, hosts, limits, caches and arguments without a value',
    'they are translated; a tag in `cachefrom` is left out',
  ],
  ['A list of images with `digests=1` has no body; ids of commits and removals have no `sha256:`', 'they have'],
  [
    'It forgets which streams a container was made to be attached to',
    'all of them where its stdin is open: Compose 1 reads it',
  ],
  [
    'Events are `remove`, `exec_died`, `health_status` with the status beside it',
    '`destroy`, `exec_die` and `health_status: healthy`, in filters, too',
  ],
  ['Errors are JSON in every version', 'text below 1.24, as engines had it'],
  [
    'Errors have words of its own, and many are 500',
    'those that were seen have Docker’s words and its 400, 404 or 409: a name in use, no such image, a container that runs, is stopped or paused',
  ],
  ['`/build/prune` is 404, and `docker system prune` stops there', 'nothing was pruned: 200'],
  ['The default network is called `podman` by containers', 'they say `bridge`, and are asked for and made by it'],
  [
    'The address that inspect shows is taken for a fixed one when a container is made again from it; the MAC address of a container without a network beside it is ignored',
    'the first is left out, the second goes to the endpoint',
  ],
  [
    'A create with links between containers is refused',
    'linked containers are entries of `/etc/hosts`, at the addresses that they have at the create; Docker also follows later ones, and sets variables',
  ],
  ['A list of running containers leaves out the paused ones', 'they are in it'],
  [
    'Containers in lists have the members of a create, too, all empty, and no HostConfig; Compose 1 takes the empty name',
    'they have not, and their HostConfig says the network (`default` for one in the network of another container)',
  ],
  ['States `stopped`, `stopping` and `initialized`', '`exited`, `running`, `created`'],
  ['Names have no slash in statistics and disk usage, and the command line cuts the first letter off', 'they have'],
  ['A running exec has the exit code 0, and resizing one is 201', '`null`, and 200'],
  ['Some errors (a failed pull or push) do not say that they are JSON', 'they do: clients would show the braces'],
  [
    'It also has an API of its own (`/v5.4.2/libpod/…`: `podman --remote`, podman-py)',
    'it passes untouched, with the version that the client says; a policy refuses it, as all that it does not know',
  ],
  ['`_ping` and `/version` say so', 'both say what `--announce-api` announces; the range of its own API is left'],
] as const

const LEFT = [
  'Images have their full names (`docker.io/library/busybox:latest`) in events and lists; they are left as they are.',
  'Events of its own (`init`, `cleanup` …) are passed on; clients ignore what they do not know.',
  'Events up to a moment that is over (`docker events --since … --until …`) are few or none of those that were: Podman stops reading its log as soon as it begins. With an `until` one second ahead all are told.',
  'It does not stop containers that are paused: unpause them first.',
  'It starts the process of a container for the first that attaches: `docker run` with a command that is not there ends with `unable to upgrade to tcp, received 500` and 1 for 127.',
  'Clients below 1.35 get a `/version` without `Components`, by which some tell Podman from Docker (docker-api for Ruby): let such a client speak 1.35 or newer.',
  'Command lines 18.09 and 19.03 open a session at every build from 1.31 on, for Podman calls itself experimental, and end with `failed to dial gRPC`; without the bridge as well. They build through a bridge with `--announce-api 1.30`, or with `DOCKER_API_VERSION=1.30`.',
  'There is no BuildKit and no swarm; the bridge says so in the engine’s own words.',
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
