import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The same files as a deb, by dpkg-deb, and as an rpm, by rpmbuild. */

const run = promisify(execFile)
const script = (name: string): Promise<string> => readFile(join(import.meta.dirname, 'linux', `${name}.sh`), 'utf8')

export interface Facts {
  readonly version: string
  readonly description: string
  /** As Node calls it. */
  readonly arch: string
  /** The least version of the C library. */
  readonly glibc: string
}

export const DEBIAN: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }
export const RPM: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' }

export async function makeDeb(tree: string, to: string, facts: Facts): Promise<string> {
  const { version, description, glibc } = facts
  const arch = DEBIAN[facts.arch] ?? facts.arch
  const [kilobytes] = (await run('du', ['-sk', tree])).stdout.split('\t')
  const control = join(tree, 'DEBIAN')
  await mkdir(control)
  const fields = [
    ...['Package: enginebridge', `Version: ${version}`, `Architecture: ${arch}`, 'Section: net', 'Priority: optional'],
    ...['Maintainer: The enginebridge authors <enginebridge@localhost>', `Depends: libc6 (>= ${glibc}), passwd`],
    `Installed-Size: ${kilobytes}`,
    `Description: ${description}`,
  ]
  await writeFile(join(control, 'control'), `${fields.join('\n')}\n`)
  await writeFile(join(control, 'conffiles'), '/etc/enginebridge/enginebridge.yaml\n')
  const only = (word: string, body: string): string => `#!/bin/sh\nset -e\nif [ "$1" = ${word} ]; then\n${body}fi\n`
  await writeFile(join(control, 'postinst'), only('configure', await script('after-install')))
  await writeFile(join(control, 'prerm'), only('remove', await script('before-remove')))
  await writeFile(join(control, 'postrm'), only('purge', await script('purge')))
  for (const name of ['postinst', 'prerm', 'postrm']) await chmod(join(control, name), 0o755)
  const file = join(to, `enginebridge_${version}_${arch}.deb`)
  // Not every dpkg reads zstd: Debian's from 12 on.
  await run('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', tree, file])
  return file
}

export async function makeRpm(tree: string, to: string, folder: string, facts: Facts): Promise<string> {
  const arch = RPM[facts.arch] ?? facts.arch
  const values: Readonly<Record<string, string>> = {
    ...{ version: facts.version, description: facts.description, glibc: facts.glibc, tree },
    'after-install': await script('after-install'),
    'before-remove': await script('before-remove'),
    purge: await script('purge'),
  }
  const template = await readFile(join(import.meta.dirname, 'rpm', 'enginebridge.spec'), 'utf8')
  const spec = join(folder, 'enginebridge.spec')
  await writeFile(
    spec,
    template.replaceAll(/@([a-z-]+)@/g, (whole, name: string) => values[name]?.trimEnd() ?? whole),
  )
  const define = ['--define', `_topdir ${join(folder, 'rpmbuild')}`, '--define', `_rpmdir ${to}`]
  const name = ['--define', '_rpmfilename %{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm']
  await run('rpmbuild', ['-bb', '--quiet', '--target', arch, ...define, ...name, spec])
  return join(to, `enginebridge-${facts.version}-1.${arch}.rpm`)
}
