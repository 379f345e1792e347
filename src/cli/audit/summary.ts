import { type Io, type Run, UsageError, unusable } from '../command.ts'
import { callOf, engineFor } from '../explain/names.ts'
import { progress } from '../words/progress.ts'
import { count, cut, type WholeLook as Look, listing, lookOf, painted, plain, write } from '../words/text.ts'
import { records } from './records.ts'
import { type Outlook, outlookLines, outlooks } from './upgrade.ts'
import { Usage } from './usage.ts'

/** Rows of each table; `--all` shows every one. */
const SHOWN = 15

/** `enginebridge audit summary FILE…`: who calls what, at which version, what was lost; and what another engine would mean. */
export const run: Run = async ({ words, value, has }, io) => {
  const wanted = value('engine')
  const engine = wanted === undefined ? undefined : await engineFor(wanted, io.env)
  const usage = await usageOf(words, io)
  const future = engine === undefined ? undefined : { engine: engine.name, outlook: outlooks(usage, engine) }
  const look = { ...lookOf(io), all: has('all') }
  write(io, has('json') ? { ...asJson(usage), ...future } : undefined, () => [
    ...report(usage, look),
    ...(future === undefined ? [] : futureLines(future.engine, future.outlook, look)),
  ])
  return 0
}

async function usageOf(files: readonly string[], io: Io): Promise<Usage> {
  const usage = new Usage()
  try {
    for await (const record of progress(records(files), io, (done) => `read ${done} records`)) usage.count(record)
  } catch (cause) {
    unusable(cause)
  }
  if (usage.calls === 0) throw new UsageError(`${files.join(', ')}: there is no finished call in it`)
  return usage
}

/** Characters of a line taken by the other columns: in the clients' table, and in the calls'. */
const [CLIENT_REST, CALL_REST] = [36, 24]

function report(usage: Usage, look: Look): string[] {
  const { calls, failed, first = '', last = '', unreadable, dropped } = usage
  const { columns, paint } = look
  const [from, to] = [first, last].map((time) => time.slice(0, 19).replace('T', ' '))
  const clients = usage.clients.rows.map(({ cells: [agent = '', version = ''], peers, ...of }) =>
    [cut(agent, columns - CLIENT_REST), version, peers.size, of.calls, of.failed].map(String),
  )
  const operations = usage.operations.rows.map(({ cells: [name = ''], ...of }) =>
    [cut(callOf(name), columns - CALL_REST), of.calls, of.failed].map(String),
  )
  const losses = usage.losses.rows.map(({ cells: [what = '', needs = '', change = ''], ...of }) => [
    ...[plain(what), needs, String(of.calls), change],
  ])
  const spoken = usage.spoken.rows.map(({ cells, ...of }) => [...cells, String(of.calls)])
  const refusals = usage.refusals.rows.map(({ cells, ...of }) => [...cells, String(of.calls)])
  return [
    paint('bold', `${count(calls, 'call')}, ${failed} answered with an error`),
    `${from} to ${to} UTC`,
    ...(dropped > 0 ? [paint('red', `The log itself says that ${count(dropped, 'record')} had to be dropped.`)] : []),
    ...(unreadable > 0 ? [paint('yellow', `${count(unreadable, 'line')} could not be read.`)] : []),
    ...section('Clients', ['client', 'API', '>peers', '>calls', '>errors'], clients, look),
    ...section('Versions', ['client', 'to the engine', '>calls'], spoken, look),
    ...section('Calls', ['call', '>calls', '>errors'], operations, look),
    ...section('Refused by the bridge', ['code', '>calls'], refusals, look),
    ...section('What the engine could not express', ['value', 'needs', '>calls', 'change'], losses, look),
  ]
}

function section(title: string, head: readonly string[], rows: readonly (readonly string[])[], look: Look): string[] {
  if (rows.length === 0) return []
  const shown = look.all ? rows : rows.slice(0, SHOWN)
  const rest = rows.length - shown.length
  return [
    '',
    look.paint('cyan', title),
    ...listing(look, '  ', head, shown),
    ...(rest > 0 ? [look.paint('dim', `  … and ${rest} more (--all)`)] : []),
  ]
}

function futureLines(engine: string, outlook: readonly Outlook[], look: Look): string[] {
  const sum = (some: readonly Outlook[]): number => some.reduce((calls, one) => calls + one.calls, 0)
  const broken = sum(outlook.filter(({ without }) => without.refusal !== null))
  const verdict = `Without the bridge ${broken} of these ${count(sum(outlook), 'call')} would be refused for their version`
  return [
    '',
    look.paint('cyan', `On ${engine}`),
    ...painted(look, broken > 0 ? 'red' : 'green', verdict, '  '),
    ...outlook.flatMap((one) => ['', ...outlookLines(one, look)]),
    ...(look.all ? [] : ['', look.paint('dim', 'enginebridge audit summary --all lists each change.')]),
  ]
}

function asJson(usage: Usage): object {
  const { clients, versions, operations, spoken, losses, refusals, ...counts } = usage
  const byVersion = Map.groupBy(versions.rows, ({ cells: [version = ''] }) => version)
  return {
    ...counts,
    clients: clients.rows.map(({ cells: [userAgent, version = ''], peers, ...of }) => ({
      ...{ userAgent, version, ...of },
      peers: [...peers],
    })),
    versions: Object.fromEntries(
      [...byVersion].map(([version, rows]) => [
        version,
        Object.fromEntries(rows.map(({ cells: [, operation], calls }) => [operation, calls])),
      ]),
    ),
    spoken: spoken.rows.map(({ cells: [client, target], calls }) => ({ client, target, calls })),
    operations: Object.fromEntries(
      operations.rows.map(({ cells: [name], calls, failed }) => [name, { calls, failed }]),
    ),
    losses: losses.rows.map(({ cells: [what, needs, change], calls }) => ({ what, change, needs, calls })),
    refusals: Object.fromEntries(refusals.rows.map(({ cells: [code], calls }) => [code, calls])),
  }
}
