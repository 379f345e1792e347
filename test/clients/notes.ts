/** What stands beside the table: what the recordings are, and differences that were looked for in clients. */
export const RECORDED = [
  'No Engine 29 can be installed where this is run. The columns "recorded" are an engine in memory that answers and refuses as',
  'recorded ones did: a build of the main line and 29.1.4, each with the classic store and with containerd’s (`overlayfs`). A',
  'client plays there what was recorded: the same names, commands and settings. `–`: the client’s calls are not in the recordings.',
] as const

export const NOTES = [
  '## BuildKit',
  '',
  '`POST /session` and `POST /grpc` are tunnels: after the heads the bytes pass untouched in both directions, HTTP/2 among them',
  '(`Upgrade: h2c`). `docker build` and `docker buildx build`, with a secret from the client, are live tests',
  '(`test/live/buildkit.test.ts`) on 20.10, 26.1, 28.5 and 28.5-min1.44; the audit record has each tunnel with its bytes. Of Engine',
  '29 there is no BuildKit here: its recordings hold no HTTP/2. Podman has neither endpoint.',
  '',
  '## Clients that refuse old engines',
  '',
  'Docker’s command line and Go client of 29 want an engine that says 1.44 or higher in `_ping`. None of them can be had here. What',
  'they look at was tested instead: with `--announce-api 1.52`, `HEAD /_ping`, `GET /_ping` and `/version` all say 1.52 before 20.10',
  'and Podman (`test/live/announce.test.ts`), and the command line of 28 negotiates its own highest version there. What the engine',
  'lacks is refused in a sentence (`HostConfig.Mounts[].Type image is not supported by the engine: it needs API 1.48 and the engine',
  'has API 1.41`), or, where nothing is lost but a hint, told as a warning of the create.',
  '',
  '## Differences that are left',
  '',
  '- `docker stats` at API 1.24 shows `--` as the name: stats name the container from 1.25 on, and a client of 1.24 gets no more than',
  '  an engine of 1.24 gave.',
  '- `attach/ws` below 1.28: engines of that time sent text frames, newer ones send binary frames, and frames pass untouched. Of the',
  '  clients here only docker-py has it (`attach_socket(ws=True)`, over TCP): it gives `bytes` where it gave `str`.',
  '- Records `{"aux": …}` in the answer of a build (newer engines) pass untouched: dockerode, docker-py and Compose 1 skip what they',
  '  do not know.',
  '- An attach before a start with a HostConfig that needs the container made again is refused: the attach would belong to the',
  '  container that goes. See [start-hostconfig.md](start-hostconfig.md).',
] as const
