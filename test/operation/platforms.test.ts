import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

/** The lock files have the packages of every processor that the image and a checkout support. */
const root = join(import.meta.dirname, '../..')
const locked = z.object({
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  cpu: z.union([z.string(), z.array(z.string())]).optional(),
  os: z.union([z.string(), z.array(z.string())]).optional(),
  libc: z.union([z.string(), z.array(z.string())]).optional(),
  hasInstallScript: z.boolean().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
})
const packages = (file: string): Record<string, z.infer<typeof locked>> =>
  z.object({ packages: z.record(z.string(), locked) }).parse(JSON.parse(readFileSync(join(root, file), 'utf8')))
    .packages

const has = (wanted: string, list: string | readonly string[] | undefined): boolean =>
  list === undefined || [list].flat().includes(wanted)

describe.each(['x64', 'arm64'])('on linux with %s', (cpu) => {
  const serves = (one: z.infer<typeof locked>): boolean =>
    has(cpu, one.cpu) && has('linux', one.os) && has('glibc', one.libc)

  it.each([
    ['bin/runtime', ['node']],
    ['bin/runtime-24', ['node22', 'node24']],
  ])('%s has the Node lines %j', (folder, lines) => {
    const own = Object.entries(packages(`${folder}/package-lock.json`)).filter(([path]) => path !== '')
    expect(own.filter(([, one]) => serves(one)).map(([path]) => path)).toEqual(
      lines.map((line) => `node_modules/${line}-linux-${cpu}`),
    )
  })

  it.each([
    ['typescript', /^@typescript\//],
    ['rolldown', /^@rolldown\/binding-/],
    ['@biomejs/biome', /^@biomejs\/cli-/],
  ])('%s has its program', (name, pattern) => {
    const all = packages('package-lock.json')
    const parts = Object.keys(all[`node_modules/${name}`]?.optionalDependencies ?? {}).filter((one) =>
      pattern.test(one),
    )
    const fitting = parts.filter((one) => {
      const part = all[`node_modules/${one}`]
      return part !== undefined && serves(part)
    })
    expect(parts.length).toBeGreaterThan(2)
    expect(fitting).not.toEqual([])
  })

  it('the packages of the image are the same for all: none is for one processor, none is compiled', () => {
    const taken = Object.entries(packages('package-lock.json')).filter(
      ([path, one]) => path !== '' && one.dev !== true && one.optional !== true,
    )
    expect(taken.length).toBeGreaterThan(20)
    const bound = taken.filter(
      ([, one]) => one.cpu !== undefined || one.os !== undefined || one.hasInstallScript === true,
    )
    expect(bound.map(([path]) => path)).toEqual([])
  })
})

it('Node has one version on all processors', () => {
  const { optionalDependencies = {} } = packages('bin/runtime/package-lock.json')[''] ?? {}
  expect(new Set(Object.values(optionalDependencies)).size).toBe(1)
})

it('the Dockerfile names no processor: its bases and the folder of its library follow the platform', () => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8').replace(/^#.*$/gm, '')
  expect(dockerfile).not.toMatch(/x86_64|amd64|aarch64|arm64|--platform/)
  expect(dockerfile).toContain('/usr/lib/*-linux-gnu/libatomic.so.1')
})
