import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gt, prerelease, valid } from 'semver'
import manifest from '../package.json' with { type: 'json' }
import { released } from './changelog.ts'

/**
 * `npm run release -- X.Y.Z`: checks, writes the version where it stands, commits and tags. Nothing leaves this machine: the push of
 * the tag starts the workflow that publishes.
 */
const ROOT = join(import.meta.dirname, '..')
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

function problems(version: string): string[] {
  const found: string[] = []
  // npm publishes 1.0.0-rc.1 only under a tag of its own, and the workflow would call it the latest.
  if (valid(version) !== version || prerelease(version) !== null)
    found.push(`"${version}" is not a version: npm run release -- X.Y.Z`)
  else if (!gt(version, manifest.version)) found.push(`${version} is not newer than ${manifest.version}`)
  try {
    if (git('status', '--porcelain') !== '') found.push('there are uncommitted changes: commit or stash them')
    if (git('branch', '--show-current') !== 'main') found.push('a release is made from main: git switch main')
    if (git('tag', '--list', `v${version}`) !== '') found.push(`the tag v${version} exists`)
  } catch (cause) {
    // No repository, or one that git does not trust because its folder is another user's, as in a workflow's container.
    found.push(cause instanceof Error ? cause.message.trim().replaceAll(/\s*\n\s*/g, '\n') : String(cause))
  }
  if (!('repository' in manifest)) found.push('package.json has no repository: CONTRIBUTING.md says what goes there')
  return found
}

function rewrite(file: string, change: (text: string) => string): void {
  const path = join(ROOT, file)
  const text = readFileSync(path, 'utf8')
  const changed = change(text)
  if (changed === text) throw new Error(`${file}: the version was not found`)
  writeFileSync(path, changed)
}

function main(version: string): void {
  const found = problems(version)
  if (found.length > 0) throw new Error(found.join('\n'))
  const run = (...args: string[]): Buffer =>
    execFileSync('npm', args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
  run('test')
  run('version', version, '--no-git-tag-version', '--ignore-scripts')
  rewrite('packaging/helm/enginebridge/Chart.yaml', (text) =>
    text.replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`),
  )
  rewrite('CHANGELOG.md', (text) => released(text, version, new Date().toISOString().slice(0, 10)))
  git('commit', '--all', '--message', `Release ${version}`)
  git('tag', '--annotate', `v${version}`, '--message', `enginebridge ${version}`)
  process.stdout.write(`tagged v${version}. To publish it: git push origin main v${version}\n`)
}

try {
  main(process.argv[2] ?? '')
} catch (cause) {
  process.stderr.write(
    `no release:\n${(cause instanceof Error ? cause.message : String(cause)).replaceAll(/^/gm, '  - ')}\n`,
  )
  process.exitCode = 1
}
