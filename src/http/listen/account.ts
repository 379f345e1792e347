import { readFile } from 'node:fs/promises'

/** The id of a user or group given by number or name. Node has no getpwnam. */
export async function accountId(kind: 'user' | 'group', said: string): Promise<number> {
  if (/^\d+$/.test(said)) return Number(said)
  const file = kind === 'user' ? '/etc/passwd' : '/etc/group'
  const lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.split(':'))
  const id = lines.find(([name]) => name === said)?.[2]
  if (id === undefined) throw new Error(`no ${kind} ${said} in ${file}; give a name from there or a number`)
  return Number(id)
}
