import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { engineScript } from '../live/support/engine-script.ts'

const execute = promisify(execFile)

/** Processors as the GNU tools call them. */
const GNU: Readonly<Record<string, string>> = { x64: 'x86-64', arm64: 'aarch64' }

/** Debian's packages of a client, by the folder that they are unpacked into: the engine script's private apt fetches them. */
const PACKAGES = {
  'docker-cli-20.10': ['docker.io/bookworm'],
  'docker-cli-26.1': ['docker-cli/trixie', 'docker-compose/trixie'],
  'docker-cli-28.5': ['docker-cli/sid', 'docker-buildx/sid', 'docker-compose/sid'],
  // What the bases of the image consist of: node:26-trixie-slim (the part that the Dockerfile's commands need) …
  'base-build': [
    ...['libc6', 'libgcc-s1', 'libstdc++6', 'libatomic1', 'libssl3t64', 'zlib1g', 'dash', 'coreutils', 'libselinux1'],
    ...['libacl1', 'libattr1', 'libpcre2-8-0', 'libgmp10', 'libsystemd0', 'libcap2'],
    ...[
      'binutils-common',
      `binutils-${GNU[process.arch] ?? process.arch}-linux-gnu`,
      'libbinutils',
      'libzstd1',
      'libsframe1',
    ],
    ...['libctf0', 'libctf-nobfd0', 'libgprofng0', 'libjansson4', 'binutils'],
  ].map((name) => `${name}/trixie`),
  // … and gcr.io/distroless/cc-debian13 (its cc/config.bzl and base/config.bzl), as far as programs load it.
  'base-cc': ['libc6', 'libgcc-s1', 'libstdc++6', 'libgomp1', 'zlib1g', 'libssl3t64'].map((name) => `${name}/trixie`),
  prometheus: ['prometheus/bookworm'],
  // fish 3.6 and zsh 5.9 need no newer C library than Debian 12's.
  shells: ['zsh', 'zsh-common', 'fish', 'fish-common', 'libpcre2-32-0'].map((name) => `${name}/bookworm`),
  'python-docker-7.1': ['python3-docker/trixie'],
  'python-docker-7.2': ['python3-docker/sid'],
  'python-bookworm': [
    'docker-compose',
    ...['attr', 'cached-property', 'certifi', 'chardet', 'charset-normalizer', 'distro', 'distutils', 'docker'],
    ...['dockerpty', 'docopt', 'dotenv', 'idna', 'jsonschema', 'pkg-resources', 'pyrsistent', 'requests', 'six'],
    ...['texttable', 'urllib3', 'websocket', 'yaml'],
  ].map((name) => `${name === 'docker-compose' ? name : `python3-${name}`}/bookworm`),
} as const satisfies Record<string, readonly string[]>

export type Tool = keyof typeof PACKAGES
export const TOOLS = Object.keys(PACKAGES) as readonly Tool[]

/** The folder of a client's unpacked packages; they are fetched if they are missing. */
export async function toolFolder(tool: Tool): Promise<string> {
  return (await engineScript('fetch', `clients/${tool}`, ...PACKAGES[tool])).trim()
}

/** The environment in which the machine's own python3 finds Debian's modules. */
export async function pythonPath(
  first: 'python-bookworm' | 'python-docker-7.1' | 'python-docker-7.2',
): Promise<string> {
  const folders = first === 'python-bookworm' ? [first] : [first, 'python-bookworm' as const]
  const found: string[] = []
  for (const tool of folders) found.push(`${await toolFolder(tool)}/lib/python3/dist-packages`)
  return found.join(':')
}

/** The version that a program prints; rejects if it cannot run. */
export async function versionOf(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await execute(file, args, { env, timeout: 20_000 })
  const found = /\d+\.\d+\.\d+/.exec(stdout)
  if (found === null) throw new Error(`${file} names no version: ${stdout}`)
  return found[0]
}
