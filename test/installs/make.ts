import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { succeed } from '../clients/command.ts'
import { addNode } from '../live/support/base-images.ts'
import { told } from './readme.ts'
import { debian, filesIn, onCleanMachine } from './roots.ts'

/** Builds the files of a release as the release workflow does. */

const ROOT = join(import.meta.dirname, '../..')
const LIMIT_MS = 3_600_000

/** The workflow's Debian release, and the packages it installs. */
function baseOfRelease(): { release: string; packages: string[] } {
  const { jobs } = parse(readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8'))
  const { container, steps } = jobs.files
  const packages = / --no-install-recommends (.*)$/.exec(steps[0].run)?.[1]?.split(' ') ?? []
  return { release: String(container).replace('debian:', ''), packages }
}

/**
 * Runs `npm run package` on that Debian without a network, and `npm pack` for this machine's processor; the files go to `to`.
 */
export async function makeFiles(folder: string, to: string, arch: string): Promise<void> {
  mkdirSync(to)
  const { release, packages } = baseOfRelease()
  const over = await debian(release, packages, arch)
  const [checkout, command] =
    arch === process.arch ? [ROOT, 'npm run package'] : [await checkoutFor(arch, folder), 'node packaging/main.ts']
  const prepare = async (upper: string): Promise<void> => void (await addNode(upper, process.env))
  const wanted = { over, prepare, first: 'sleep infinity', folders: [checkout] }
  const { stdout } = await onCleanMachine(join(folder, 'package'), wanted, (root) => {
    root.path = `${join(checkout, 'node_modules/.bin')}:${root.path}`
    return root.sh(`cd ${checkout}; ${command}`, LIMIT_MS)
  })
  const libc = `for ${told(/needs (glibc \S+ or newer)/)}`
  if (!stdout.includes(libc)) throw new Error(`README.md says ${libc}; npm run package says: ${stdout}`)
  for (const file of filesIn(join(checkout, 'dist/packages'), '.tar.gz', '.deb', '.rpm'))
    cpSync(file, join(to, basename(file)))
  if (arch !== process.arch) return
  await succeed('npm', ['pack', '--pack-destination', to], process.env, { cwd: ROOT, limitMs: LIMIT_MS })
}

/** A copy of the checkout with the modules for another processor. */
async function checkoutFor(arch: string, folder: string): Promise<string> {
  const copy = join(folder, 'checkout')
  mkdirSync(copy)
  await succeed('bash', ['-euc', `git ls-files -z | xargs -0 cp --parents -t ${copy}`], process.env, { cwd: ROOT })
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  const ci = ['ci', `--cpu=${arch}`, '--os=linux', '--libc=glibc', ...quiet, '--prefix']
  for (const part of ['', 'bin/runtime'])
    await succeed('npm', [...ci, join(copy, part)], process.env, { limitMs: LIMIT_MS })
  symlinkSync(`../../bin/runtime/node_modules/node-linux-${arch}/bin/node`, join(copy, 'node_modules/.bin/node'))
  return copy
}
