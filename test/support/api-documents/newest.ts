import { readdirSync } from 'node:fs'
import path from 'node:path'
import { openOn } from './accounted.ts'
import { documentVersions } from './facts.ts'
import { differencesBetween, publish, published } from './published.ts'
import { readSwagger } from './read-swagger.ts'

const minorOf = (file: string): number => Number(/^v1\.(\d+)\.yaml$/.exec(file)?.[1] ?? 0)

/**
 * What the newest published document of a folder (`v1.NN.yaml`) has that the rules do not account for, a line each. It is
 * held against the newest document before it, of the folder or of those the tests know.
 */
export function unaccounted(folder: string): { readonly minor: number; readonly lines: readonly string[] } {
  const minors = readdirSync(folder)
    .map(minorOf)
    .filter((minor) => minor > 0)
    .sort((a, b) => b - a)
  const [minor, before] = minors
  if (minor === undefined) throw new Error(`${folder} has no document: v1.NN.yaml was expected`)
  for (const one of minors.slice(0, 2)) publish(one, readSwagger(path.join(folder, `v1.${one}.yaml`)))
  const older = before ?? Math.min(minor - 1, documentVersions.swagger[1])
  return {
    minor,
    lines: differencesBetween(published(older), published(minor), minor).flatMap((one) => openOn(one) ?? []),
  }
}
