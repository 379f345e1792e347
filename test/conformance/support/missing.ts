import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Folders of the host that a call names and nobody has made: some engines make them, for others a scenario begins anew. */
const PARENT = '/var/tmp'
const NAMED = /enginebridge-nosuch-[a-z0-9]+/g

/** Engines on one machine share it: each play names folders of its own. `play` is of letters alone. */
export const ofPlay = (text: string, play: string): string => text.replaceAll(NAMED, (name) => `${name}.${play}`)

/** As the catalogue has them. */
export const asNamed = (text: string): string => text.replaceAll(/(enginebridge-nosuch-[a-z0-9]+)\.[a-z]+/g, '$1')

/** Removes what engines made of them in this play. */
export function removeMade(play: string): void {
  for (const name of readdirSync(PARENT))
    if (name.startsWith('enginebridge-nosuch-') && name.endsWith(`.${play}`))
      rmSync(join(PARENT, name), { recursive: true, force: true })
}
