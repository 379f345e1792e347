import { readFile } from 'node:fs/promises'

/** The number of a user or group: as given, or from the machine's own list. Node has no getpwnam. */
export async function accountId(kind: 'user' | 'group', said: string): Promise<number> {
  if (/^\d+$/.test(said)) return Number(said)
  const file = kind === 'user' ? '/etc/passwd' : '/etc/group'
  const lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.split(':'))
  const id = lines.find(([name]) => name === said)?.[2]
  if (id === undefined) throw new Error(`there is no ${kind} ${said} in ${file}; a number is understood as well`)
  return Number(id)
}
