import { engineScript } from '../test/live/support/engine-script.ts'

/** The Debian packages of the benches; fetched through the private apt of test/live/engine, not installed. */
const PACKAGES = [
  'haproxy',
  'nginx',
  'wrk',
  'liblua5.3-0',
  'libluajit-5.1-2',
  'libopentracing-c-wrapper0',
  'libopentracing1',
].map((name) => `${name}/bookworm`)

const PROGRAMS = { haproxy: 'sbin/haproxy', nginx: 'sbin/nginx', wrk: 'bin/wrk' } as const

export interface Tool {
  readonly path: string
  readonly env: NodeJS.ProcessEnv
}

/** A program of Debian's and the environment in which it finds its libraries. */
export async function tool(name: keyof typeof PROGRAMS): Promise<Tool> {
  const folder = (await engineScript('fetch', 'bench', ...PACKAGES)).trim()
  const libraries = `${folder}/lib/x86_64-linux-gnu:${folder}/lib/aarch64-linux-gnu`
  return { path: `${folder}/${PROGRAMS[name]}`, env: { ...process.env, LD_LIBRARY_PATH: libraries } }
}

/** Started as root, nginx's workers would be `nobody` and could not read a private folder. */
export const nginxUser = (): string => (process.getuid?.() === 0 ? 'user root;' : '')
