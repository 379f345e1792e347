import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** From the bottom to the top: a room imports from itself and from those before it. */
const ROOMS = [
  ...['config', 'http', 'api', 'translate', 'rules', 'engine'],
  ...['audit', 'policy', 'proxy', 'tools', 'cli', 'main.ts'],
]
const MAX_FILES = 10

const roomOf = (file: string): string => (file.startsWith('rules/') ? 'rules' : (file.split('/')[1] ?? ''))

const files = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))

const modules = ['src', 'rules'].flatMap(files).filter((file) => file.endsWith('.ts'))

interface Import {
  readonly file: string
  /** `await import(…)`: read when it is needed, not when the program starts. */
  readonly lazy: boolean
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [...text.matchAll(/(?:\bfrom |\bimport |\bimport(?<lazy>)\()'(?<path>\.{1,2}\/[^']+)'/g)].map(
    ({ groups }) => ({
      file: join(dirname(file), groups?.['path'] ?? ''),
      lazy: groups?.['lazy'] !== undefined,
    }),
  )
}

const imports = new Map(modules.map((file) => [file, importsOf(file)]))

/** Files that import each other, directly or through others: Tarjan's strongly connected components. */
function circles(): string[][] {
  const order = new Map<string, number>()
  const open: string[] = []
  const found: string[][] = []
  const visit = (file: string): number => {
    let low = order.size
    order.set(file, low)
    const at = low
    open.push(file)
    for (const { file: next, lazy } of imports.get(file) ?? []) {
      if (lazy) continue
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? low)
    }
    if (low !== at) return low
    const circle = open.splice(open.indexOf(file))
    if (circle.length > 1) found.push(circle)
    return low
  }
  for (const file of modules) if (!order.has(file)) visit(file)
  return found
}

test('imports of modules are found', () => {
  expect(imports.get('src/main.ts')?.length).toBeGreaterThan(0)
  expect([...imports.values()].flat().length).toBeGreaterThan(modules.length)
})

test('every file of src lies in a room', () => {
  expect(modules.filter((file) => !ROOMS.includes(roomOf(file)))).toEqual([])
})

test('a room imports only from rooms below it', () => {
  const upwards = modules.flatMap((file) =>
    (imports.get(file) ?? [])
      .filter((to) => ROOMS.indexOf(roomOf(to.file)) > ROOMS.indexOf(roomOf(file)))
      .map((to) => `${file} imports ${to.file}`),
  )
  expect(upwards).toEqual([])
})

test('no modules import each other, types included', () => {
  expect(circles()).toEqual([])
})

test(`a folder of src has at most ${MAX_FILES} files`, () => {
  const counts = Map.groupBy(files('src'), (file) => dirname(file))
  const full = [...counts].filter(([, inside]) => inside.length > MAX_FILES).map(([folder]) => folder)
  expect(full).toEqual([])
})
