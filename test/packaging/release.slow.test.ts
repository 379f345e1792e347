import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DaemonSet } from 'kubernetes-models/apps/v1'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import manifest from '../../package.json' with { type: 'json' }
import { billOfMaterials } from '../../packaging/bill.ts'
import { notesOf, released } from '../../packaging/changelog.ts'
import { formula } from '../../packaging/release-files.ts'
import { typeErrors } from '../support/typed.ts'

const root = join(import.meta.dirname, '../..')
const text = (file: string): string => readFileSync(join(root, file), 'utf8')

describe('the changelog', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.0.0 (2026-01-01)\n\n- Old.\n'

  it('gives the notes of a version', () => {
    expect(notesOf(changelog, '1.0.0')).toBe('- Old.\n')
    expect(() => notesOf(changelog, '1.0')).toThrow('CHANGELOG.md says nothing under 1.0')
  })

  it('has what was unreleased under the version when it is released', () => {
    const next = released(changelog, '1.1.0', '2026-02-02')
    expect(notesOf(next, '1.1.0')).toBe('- New.\n')
    expect(next).toContain('## Unreleased\n\n## 1.1.0 (2026-02-02)\n\n- New.')
    expect(() => released(next, '1.2.0', '2026-03-03')).toThrow('says nothing under Unreleased')
  })
})

describe('npm run release', () => {
  it.each([
    ['next', /"next" is not a version/],
    ['99.0.0-rc.1', /"99\.0\.0-rc\.1" is not a version: npm run release -- X\.Y\.Z/],
    ['0.0.1', /0\.0\.1 is not newer than/],
    ['', /"" is not a version/],
  ])('with the version "%s" says why not, and changes nothing', async (version, words) => {
    const ended = await promisify(execFile)(process.execPath, [join(root, 'packaging/release.ts'), version]).catch(
      (e) => e,
    )
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringMatching(words)])
  })

  it('says so where git does not tell the state of the folder, beside all else', async () => {
    const env = { ...process.env, GIT_DIR: '/nowhere' }
    const ended = await promisify(execFile)(process.execPath, [join(root, 'packaging/release.ts'), 'next'], {
      env,
    }).catch((e) => e)
    expect([ended.code, ended.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^no release:\n {2}- "next" is not a version.*\n {2}- Command failed: git .*\n {2}- fatal: not a git repository/,
      ),
    ])
  })
})

describe('the Homebrew formula', () => {
  it('has both archives of the version with their checksums', async () => {
    const made = await formula('https://example.com/x/enginebridge', '1.2.3', {
      x64: 'a'.repeat(64),
      arm64: 'b'.repeat(64),
    })
    expect(made).toContain(
      'url "https://example.com/x/enginebridge/releases/download/v1.2.3/enginebridge-1.2.3-linux-x64.tar.gz"',
    )
    expect(made).toContain(`sha256 "${'b'.repeat(64)}"`)
    expect(made).not.toMatch(/@[a-z0-9]+@/)
  })

  it('is not made without one of them', async () => {
    await expect(formula('r', '1.2.3', { x64: 'a' })).rejects.toThrow('the formula needs arm64')
  })
})

describe('the Helm chart', () => {
  /** The little of Helm's templates that it uses. */
  function rendered(values: unknown): string {
    const at = (path: string): unknown =>
      path.split('.').reduce((value: unknown, name) => (value as Record<string, unknown>)[name], {
        Values: values,
        Release: { Name: 'bridge' },
      })
    // Helm reads numbers as floating-point ones: without `int`, 12345678 is written 1.2345678e+07.
    const plain = (value: unknown): string => (typeof value === 'number' ? value.toExponential() : String(value))
    const written: Readonly<Record<string, (value: unknown) => string>> = { toJson: JSON.stringify, int: String }
    return text('packaging/helm/enginebridge/templates/daemonset.yaml').replaceAll(
      /\{\{ (?:(toJson|int) )?\.([\w.]+) \}\}/g,
      (_, form: string = '', path: string) => (written[form] ?? plain)(at(path)),
    )
  }

  it('is a DaemonSet by the schema of Kubernetes', { timeout: 120_000 }, async () => {
    const made: unknown = parse(rendered(parse(text('packaging/helm/enginebridge/values.yaml'))))
    expect(await typeErrors(made, 'IDaemonSet', 'kubernetes-models/apps/v1')).toEqual([])
    expect(() => new DaemonSet(made as never).validate()).not.toThrow()
  })

  it('has the group of the engine as a whole number', () => {
    const made = rendered({ ...parse(text('packaging/helm/enginebridge/values.yaml')), engineGroup: 12345678 })
    expect(made).toContain('supplementalGroups: [12345678]')
    expect(made).toContain("--socket-group, '12345678',")
  })

  it('gives the pods no token of Kubernetes, and system calls as the runtime allows them', () => {
    const made: unknown = parse(rendered(parse(text('packaging/helm/enginebridge/values.yaml'))))
    expect(made).toMatchObject({
      spec: {
        template: {
          spec: {
            automountServiceAccountToken: false,
            securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
          },
        },
      },
    })
  })

  it('is of the version of the package', () => {
    expect(parse(text('packaging/helm/enginebridge/Chart.yaml'))).toMatchObject({
      version: manifest.version,
      appVersion: manifest.version,
    })
  })
})

describe('the bill of materials', () => {
  it('names every library that is shipped, Node, and none of the tools', { timeout: 60_000 }, async () => {
    const { components } = JSON.parse(await billOfMaterials())
    const names: string[] = components.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining([...Object.keys(manifest.dependencies), 'node']))
    for (const tool of Object.keys(manifest.devDependencies)) expect(names).not.toContain(tool)
  })
})
