import type { Client } from './catalogue.ts'

export type ClientFacts = Pick<Client, 'product' | 'release' | 'api' | 'note'>

export const nameOf = ({ product, release, note }: ClientFacts): string =>
  `${product} ${release}${note === '' ? '' : ` (${note})`}`

interface Row {
  readonly client: ClientFacts
  readonly columns: readonly string[]
}

/** Lines of a table. What a client shows alike at several versions is one line. */
export function tableLines(rows: readonly Row[]): string[] {
  const alike = Map.groupBy(rows, ({ client, columns }) => [nameOf(client), ...columns].join(' | '))
  return [...alike.values()].flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    const versions = same.map(({ client }) => client.api ?? 'negotiates').join(', ')
    return [`| ${[nameOf(first.client), versions, ...first.columns].join(' | ')} |`]
  })
}

/** Such as "docker 28.5.2 (1.41, negotiating); docker-py 5.0.3 (1.24)". */
export function clientList(clients: readonly ClientFacts[]): string {
  const versions = (same: readonly ClientFacts[]): string => same.map(({ api }) => api ?? 'negotiating').join(', ')
  return [...Map.groupBy(clients, nameOf)].map(([name, same]) => `${name} (${versions(same)})`).join('; ')
}
