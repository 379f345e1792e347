import { asUsage, type Io, type Run, UsageError } from '../command.ts'
import { callOf, engineFor } from '../explain/names.ts'
import { progress } from '../words/progress.ts'
import { count as counted, lookOf, painted, type Look as TextLook, table, write } from '../words/text.ts'
import { cut, plain, records } from './records.ts'
import { type Outlook, outlookLines, outlooks } from './upgrade.ts'
import { count, Usage } from './usage.ts'

/** Rows of each table; `--all` shows every one. */
const SHOWN = 15

/** `enginebridge audit summary FILE…`: who calls what, at which version, what was lost; and what another engine would mean. */
export const run: Run = async ({ words, value, has }, io) => {
  const wanted = value('engine')
  const engine = wanted === undefined ? undefined : await engineFor(wanted)
  const usage = await usageOf(words, io)
  const outlook = engine === undefined ? undefined : outlooks(usage, engine)
  const look = { ...lookOf(io), all: has('all') }
  const future = outlook === undefined ? {} : { engine: engine?.name, outlook }
  write(io, has('json') ? { ...asJson(usage), ...future } : undefined, () => [
    ...report(usage, look),
    ...(outlook === undefined ? [] : futureLines(engine?.name ?? '', outlook, look)),
  ])
  return 0
}

interface Look extends TextLook {
  readonly all: boolean
}

async function usageOf(files: readonly string[], io: Io): Promise<Usage> {
  const { step, end } = progress(io, 'read', { unit: 'records' })
  const usage = new Usage()
  try {
    for await (const record of records(files)) {
      count(usage, record)
      step()
    }
  } catch (cause) {
    throw asUsage(cause)
  } finally {
    end()
  }
  if (usage.calls === 0) throw new UsageError(`${files.join(', ')}: there is no finished call in it`)
  return usage
}

function report(usage: Usage, look: Look): string[] {
  const { calls, failed, first = '', last = '', unreadable, dropped, losses, refusals, spoken } = usage
  const [from, to] = [first, last].map((time) => time.slice(0, 19).replace('T', ' '))
  const period = `${from} to ${to} UTC`
  return [
    look.paint('bold', `${counted(calls, 'call')}, ${failed} answered with an error`),
    period,
    ...(dropped > 0
      ? [look.paint('red', `The log itself says that ${counted(dropped, 'record')} had to be dropped.`)]
      : []),
    ...(unreadable > 0 ? [look.paint('yellow', `${counted(unreadable, 'line')} could not be read.`)] : []),
    ...section('Clients', ['client', 'API', '>peers', '>calls', '>errors'], clientRows(usage, look.columns), look),
    ...section('Versions', ['client', 'to the engine', '>calls'], rowsOf(spoken, ' '), look),
    ...section('Calls', ['call', '>calls', '>errors'], operationRows(usage, look.columns), look),
    ...section('Refused by the bridge', ['code', '>calls'], rowsOf(refusals), look),
    ...section(
      'What the engine could not express',
      ['value', 'needs', '>calls', 'change'],
      mostFirst([...losses.values()]).map(({ what, change, needs, calls }) => [
        plain(what),
        needs,
        String(calls),
        change,
      ]),
      look,
    ),
  ]
}

function section(title: string, head: readonly string[], rows: readonly (readonly string[])[], look: Look): string[] {
  if (rows.length === 0) return []
  const shown = look.all ? rows : rows.slice(0, SHOWN)
  const [first = '', ...lines] = table(head, shown)
  const rest = rows.length - shown.length
  return [
    '',
    look.paint('cyan', title),
    look.paint('dim', `  ${first}`),
    ...lines.map((line) => `  ${line}`),
    ...(rest > 0 ? [look.paint('dim', `  … and ${rest} more (--all)`)] : []),
  ]
}

/** What the other columns of the clients' table, and of the calls', take of a line. */
const [CLIENT_REST, CALL_REST] = [36, 24]

const mostFirst = <Row extends { readonly calls: number }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => b.calls - a.calls)

const clientRows = ({ clients }: Usage, columns: number): string[][] =>
  mostFirst([...clients.values()]).map(({ userAgent, version, peers, calls, failed }) => [
    cut(userAgent, columns - CLIENT_REST),
    version,
    String(peers.size),
    String(calls),
    String(failed),
  ])

function operationRows({ operations }: Usage, columns: number): string[][] {
  const named = [...operations].map(([name, rest]) => ({ name: callOf(name), ...rest }))
  return mostFirst(named).map(({ name, calls, failed }) => [
    cut(name, columns - CALL_REST),
    String(calls),
    String(failed),
  ])
}

const rowsOf = (counts: ReadonlyMap<string, number>, separator?: string): string[][] =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([key, calls]) => [...(separator === undefined ? [key] : key.split(separator)), String(calls)])

function futureLines(engine: string, outlook: readonly Outlook[], look: Look): string[] {
  const { paint } = look
  const refused = outlook.filter(({ without }) => without.refusal !== null)
  const broken = refused.reduce((sum, { calls }) => sum + calls, 0)
  const all = outlook.reduce((sum, { calls }) => sum + calls, 0)
  const verdict = `Without the bridge ${broken} of these ${counted(all, 'call')} would be refused for their version`
  return [
    '',
    paint('cyan', `On ${engine}`),
    ...painted(look, broken > 0 ? 'red' : 'green', verdict, '  '),
    ...outlook.flatMap((one) => ['', ...outlookLines(one, look)]),
    ...(look.all ? [] : ['', paint('dim', 'enginebridge audit summary --all lists each change.')]),
  ]
}

function asJson(usage: Usage): object {
  const { versions, clients, operations, spoken, losses, refusals, ...counts } = usage
  return {
    ...counts,
    clients: [...clients.values()].map(({ peers, ...client }) => ({ ...client, peers: [...peers] })),
    versions: Object.fromEntries([...versions].map(([version, calls]) => [version, Object.fromEntries(calls)])),
    spoken: [...spoken].map(([key, calls]) => ({ client: key.split(' ')[0], target: key.split(' ')[1], calls })),
    operations: Object.fromEntries(operations),
    losses: [...losses.values()],
    refusals: Object.fromEntries(refusals),
  }
}
