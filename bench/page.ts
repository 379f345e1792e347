import { cpus, release, totalmem } from 'node:os'
import { cellOf, type Group, median, type Row, ratio } from './result.ts'
import { targetsTable } from './targets.ts'

const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value >= 1 ? value.toFixed(2) : value.toFixed(3)

/** The figures of one group; next to each its ratio to the yardstick of the same run. */
function table({ rows }: Group, yardsticks: readonly string[]): string {
  const contenders = [...new Set(rows.flatMap(({ cells }) => cells.map(({ contender }) => contender)))]
  const line = (row: Row): string => {
    const yardstick = yardsticks.map((name) => cellOf(row, name)).find((cell) => cell !== undefined)
    const cells = contenders.map((contender) => {
      const cell = cellOf(row, contender)
      if (cell === undefined) return '–'
      const beside = yardstick === undefined || yardstick === cell ? '' : ` (${ratio(cell, yardstick).toFixed(2)}×)`
      return `${number(median(cell.rounds))}${beside}`
    })
    return `| ${row.what} | ${row.unit} | ${cells.join(' | ')} |`
  }
  const head = `| | unit | ${contenders.join(' | ')} |`
  return [head, head.replace(/[^|]+/g, ' --- '), ...rows.map(line)].join('\n')
}

/** What figures are compared with: the first of them that a row has. */
const YARDSTICKS = ['direct', 'relay', 'off', '1 worker', 'parse and write']

export interface Machine {
  readonly processors: string
  readonly memory: string
  readonly kernel: string
  readonly node: string
  readonly tools: string
}

export const machine = (tools: string): Machine => ({
  processors: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`,
  memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
  kernel: `Linux ${release()}`,
  node: process.version,
  tools,
})

/** What profiles said (perf and V8's), and what was tried; kept by hand. */
const LIMITS = `## Where the rest goes

- **An untranslated call** takes 1.2 to 1.9 times the processor time of the relay, which is why 32 connections do not reach 0.9 of its calls and p50 there is more than 1.1 times its own. Of its
  time, by V8's profile of an inspect (32 connections), 29 % is the one write of head and body to the client and 8 % that of the request to the engine, 24 % the rest of Node, 9 % undici, 4 % undici's
  parser, 4 % collecting garbage, 12 % all of our own code (of a ping 11 %), no function of it above 1.2 %. In an earlier profile, with 18 % of our own, a ping would still have taken 1.27 times the relay's time had our own code been free:
  header fields are passed on both ways instead of dropped (undici checks each), and the answer is written with its own. So 0.9 of the relay's calls
  is out of reach as long as all header fields pass, through undici. Gone are: reading the request line again, a text as the key of each plan, the pattern for each \`Host\`
  (0.7 µs a call together), properties defined for each call (0.2 µs).
  Of the relay's own time 38 % are its two writes, and undici is about a third: a relay with a client of a few lines
  in undici's place took 0.67 of it, a server that answers by itself 0.40. A small answer leaves with its head in one write (0.92 of the relay's time for a ping; nothing from 4 KB on).
  Less than the relay would take a client of our own instead of undici, which a proxy in front of root does not have for a few microseconds.
- **socket-proxy** with one connection is as fast as the relay, give or take a tenth: one call at a time leaves it two processors, and Go wakes a waiting thread of its own where Node waits
  for its one. It takes 1.1 to 1.6 times the processor time of the relay for that. With 32 connections, where the processors are what is short, it is behind the bridge, but for an inspect that is another each time:
  that is parsed, changed and written, which a filter does not do.
- **A translated answer that is another each time** is parsed, changed and written. What helps is not to do it: the same answer again is
  compared, not parsed, and of a list only the elements that changed are translated. Where a plan does nothing but take members out and spell
  their values otherwise (lists of containers for clients from 1.22 on, before 20.10 and 28.5; volumes, many networks and images), the bytes are
  edited: members are found by brackets and quotes, and what stays is copied. Of a list of 100 (79 KB) of which every container changed, that is
  done in 0.9 of the time of JSON.parse and JSON.stringify of it, with its comparison with the list before; parsing, changing and writing took 2.2. With the bridge around
  it a call takes 0.46 of the processor time, and comes to 0.47 of the relay’s calls instead of 0.23 (seven rounds in turn, on a busy machine; 0.72 instead of 0.63
  where one container changed). A prototype told where that comes from: to find the ends of all elements takes 76 µs, to find and copy what stays
  141, to parse and write 272; a finder that checks all of the grammar took 279, so the bytes of what stays are not checked. Of what such a call
  takes now, by profile, 35 % are finding, 8 % comparing with the list before, 36 % Node, undici and the kernel, 6 % collecting garbage (before: 28 % parsing, 8 % writing, 11 % garbage).
  So the finding was moved to WebAssembly (src/lanes/finder): 16 bytes at a time (SIMD), in one window of 192 KB that never grows. Against the same in JavaScript, in turn
  (medians of 15 to 25 rounds on a busy machine): finding takes 0.43 of the processor time, a list of 100 or of 2,000 with its comparison and its copies 0.5, an inspect of 4 KB
  of which only bytes are edited 0.6. A call for the list of 100 took 0.72 to 0.79 of the processor time (17 rounds, 300 calls each) before the last of that: to read what was
  found without an index below zero, which V8 does not optimise, was 0.82 of the list; to compare only each eighth element with the list before once sixteen in a row
  were others, 0.88. In one run that came to 0.48 of the relay's calls instead of 0.35, in another, later, to 0.66 (without the comparison's part 0.64), on a
  busy machine; the tables say what it is in a quieter hour. The copy into its memory takes 2 µs, to compile it, once, when the first such body comes, 1 ms.
  What is left in such a list, by profile of 92 µs: 60 finding, 18 copying what stays, 14 comparing. Fewer branches (positions of all brackets first, as simdjson does) and copies
  inside of its memory were not tried; both together would be a tenth of the call at most.
- **An inspect that is another each time** stays parsed for clients up to 1.40: of the 52 steps that it has for a client of 1.22 eight do more than take
  out or spell otherwise (what is missing is filled in, one member by another). Members that go from one object are taken out in one step now, 0.92 of the time of its
  translation. By profile 57 % of its call are Node, undici and the kernel, 12 % parsing, 5 % steps, 3 % writing, 8 % collecting garbage, 15 % the rest of us. The same inspect again,
  which is compared and no more, is 0.64 of the relay: 0.6 would take a translation that is all but free, which finding alone (5 µs beside the 17 of parsing and writing)
  is not.
- **Before a real engine** the relay, which translates nothing, stands beside the bridge: most of what an inspect takes longer is one more program on the way (in turn, 1,600 calls each: 0.20 ms more than direct
  through the relay, 0.25 to 0.30 through the bridge once V8 has compiled what a call needs, 0.35 to 0.5 among the first 400). So 0.3 ms is met in a quiet minute and missed by a few hundredths in another.
  \`--always-sparkplug\` and \`--no-lazy-feedback-allocation\` (compile at once) made the first calls slower, not faster.
- **Events** come at the rate at which they are sent: bursts of 50, each 5 ms, of which the bridge takes some 1.5 ms to translate each (30 µs of processor a record, in the table), so that the median is late by that. The 99th percentile of a second
  is its two worst bursts of two hundred: one collection, or one turn in which another program has the processor, is in it (6.5 ms more than direct in the run before, on a busier machine).
- **A tunnel's byte** takes as long through haproxy as through the bridge and the relay. Over TCP that is compared with a direct
  way over a unix socket; a sidecar is mostly reached over a unix socket too, which is the row that compares like with like.
- **A tunnel at full rate** took 1.5 to 2.1 times the relay's processor time. Node makes a buffer of 64 KB for each read, and V8 (before 14.8) marks all of its
  old generation each time that some 64 MB were made in buffers, garbage or not. The relay does that too, but its heap is 10 MB and the bridge's 24 (rules,
  schemas, libraries): each of these collections cost twice as much (at the median 31 ms in the relay and 66 in the bridge, \`--trace-gc\`, on a busy machine).
  That, and no function of ours, was the difference. Now what an engine says through a tunnel is read into the same few buffers
  (\`onread\` of net.connect, src/engine/reading.ts): in turn with the relay, seven rounds of 256 MB, 0.65 of its bytes a second and 2.06 of its processor time before,
  1.41 and 0.61 after, with 160 MB of memory at most instead of 213. The relay with the same change took 0.41 to 0.46 of its own time. Tried: buffers of 256 KB
  (a sixth less processor time, four times the memory for each tunnel at work). From the client to the engine Node reads as ever: a server's socket has no \`onread\`.
- **A tar down** took 1.2 to 1.8 times the relay's processor time, for the same reason: of the bridge's time in a profile that begins with its start, 29 % is the collector
  and 20 % the write, of the relay's 27 and 30 %; no function of ours takes 1 %, reading the rules at the start aside. Between the engine's socket and us is undici, which hands on pieces of
  what was read and does not say when it is done with the rest, so that a buffer must not be used again; a relay that did so for answers
  with a length, where a read is one piece, took 0.46 to 0.58 of its time, but engines send most archives in chunks.
  V8 has a flag that counts what buffers hold instead of what was made in them, as it does by itself from 14.8 on (chromium:361124432; Node 26 has 14.6):
  \`--external-memory-accounted-in-global-limit\`. The program sets it when it serves (src/collector.ts): eleven downloads of 512 MB, in turn with a bridge that does not, took 0.58 of the
  processor time and 0.80 of the time, with as much memory. Set earlier, or on the command line, it made part of the compiled code useless (a start took 1.12 times the processor time). The size of the young generation changed nothing.
- **Two workers** share two processors with the load and the engine, which take one by themselves: of the 1.7 that is aimed at no more than what is left can be had here (1.2 to 1.6, once 1.9). So the
  rows "each process held to a fifth of a processor" give each process of the bridge as much as if it had a processor to itself, a fifth as fast. There two workers reached 1.8 to 2.4 times the
  calls of one in three runs, with the audit 1.6 (once; a translated inspect) to 2.0: 9 and 15 rounds, on a busy machine, where what one and the same call costs wanders by a quarter and more between rounds, which is how a ratio
  comes to be above 2. The last of them, in which all take turns at being first, gave 1.85 and 2.03, with the audit 1.82 and 1.61 (by the medians of their processor times, without the supervisor’s: 2.0 and 1.9). The supervisor is held
  as well. Without the audit it does next to nothing; the audit log, which it alone writes, takes a tenth or less of what the workers take, so that it is not what limits fewer than some ten of them. The 32 connections
  were spread 16 and 16, now and then less evenly (8 and 24 at worst of 16 looks): one that comes while a worker has not taken the one before goes to the other. Both used up all they had, so that no calls were lost by it.
  What processors at full speed have in common (caches, memory, locks of the kernel) is not in these rows. Before, each program was warmed for two seconds: each of two workers gets half of the calls, and V8 needs
  some eight seconds of such a load until it has compiled what they use (while being profiled, a call with its audit took 440 µs in the first two seconds and 181 in the seventh and eighth; with one worker 188 and 116).
- **Beside large lists** p99 was 14 to 16 ms before V8 was told to count what buffers hold: the collections that 2.2 MB a list brought about were what held up the byte. Now it is the relay's, or less.
- **A tar up** goes through http-proxy, which can wait for the engine's verdict on \`Expect: 100-continue\` (undici cannot). By profile it is Node and the kernel
  reading and writing 64 KB at a time, as in the relay; no function of ours is among the costly ones.
- **undici waits a turn of the event loop** before it uses an idle connection again, on purpose (GHSA-35p6-xmwp-9g52); the relay
  waits as well.
- **The start** was module loading: more than half of it was finding and linking some 700 modules. The built program is a few files.
  Then the rest was loading what no call needs: to import \`node:http\` by its name loads the fetch client inside Node (a tenth), undici's
  index its fetch, caches and mocks, prom-client's OpenTelemetry; YAML, ranges of versions and readable logs are for some starts only.
  The built program now loads parts (bundle.ts), and compiled code stands beside it. Together: 0.6 of the processor time of the bundle before,
  a quarter of a start from sources without their cache. Tried without gain: a larger young generation
  (less time, 12 MB more memory). What is left: Node's own start, undici, zod's schemas of the settings, and the rules, which are all checked before anything is served.
- **Memory**: Node alone takes 45 MB, with node:http 63; libraries 30, rules 20, settings, validation and the rest 10. The built program
  takes 25 MB less than the sources.
  A thousand followed streams add about 55 MB (each has two sockets, a parser on both sides and an undici client; 21 kB of objects) where
  V8 may choose, 43 with the young generation held at 8 MB (\`--max-semi-space-size=8\`, as bin/enginebridge and the image
  start it), 34 at 4 MB. In all 154 MB are resident then, 100 of them the program's own (147 and 94 at 4 MB): the rest are pages of Node's
  executable and its libraries.
  That was measured before the text of the built program became ASCII without spaces: V8 keeps a text with one other character in two bytes each
  (108 MB after the start became 101, medians of six in turn, where a start took no longer).
  Tried and taken out again: a whole collection once the program has come to rest after work (less than 1 % of the processor for ten seconds). In one run 109 MB after the start became 99, 147 with 1,000 streams 128,
  131 when they had left 112 (V8’s own reduction did not begin in a minute; with its delays at a second it did in one run of four). But V8 throws away more than garbage then: three programs that rested between their turns took 1.31, 1.03 and 1.29 times
  the processor time a call (seven programs in turn, pings for a second each, eleven rounds; those without it 0.93 to 1.05 of the revision before).
  What is left over 100 MB: 54 MB are pages of Node’s executable and libraries; a Node that serves HTTP and nothing else takes 75 MB with 1,000 such
  clients, and the engine’s side of each stream is as much again. Of 23.5 kB of objects for a stream by its heap snapshot, 2.4 are elements of arrays, 2.1 tables of properties (mostly of
  Node’s events), 1.0 header fields as undici read them (no longer kept; what that gives was not measured).
  Tried without gain, or at too high a price, in two to five rounds on a busy machine: \`--memory-saver-mode\` set after the start (11 MB less with the streams, but large lists take 1.6 to 2.1 times the processor time),
  \`--optimize-for-size\` (the same memory; 1.3 times the processor time of a start), \`MALLOC_ARENA_MAX=1\` (3 MB less, lists 1.1 to 1.2), \`--v8-pool-size=0\` (3 MB less),
  \`--single-threaded-gc\` (4 MB more), \`--no-memory-pool\` (5 MB more). \`--lite-mode\` has no WebAssembly, which undici reads answers with.
- **A startup snapshot** (\`node --build-snapshot\`) cannot hold the program: \`node:http\` and BlockList of \`node:net\` leave handles that V8 does not write (“global handle not serialized”),
  and Node warns of node:http and five more of its modules. The rules and settings alone can be put into one: 72 to 93 ms until it ends instead of 102 to 123 from compiled code, 30 to 37 for Node alone. That is
  at most 30 ms of a start, for a blob of 10 MB with which another Node does not start at all. So it is not done.
- **The young generation** at 4 MB costs a translated inspect 1.11 to 1.23 of the processor time (32 at once, in turn with V8's own choice,
  which is 32 MB here), because it collects five times as often; at 8 and 16 MB no cost was seen (0.65 of the relay's calls a second
  for each and for V8's choice, 0.54 at 4 MB, in one run). At 16 MB the memory of idle streams is what V8's choice makes of it. Held low, the
  memory of a soak under load does not follow the pace of the calls: at 4 MB 147 MB where V8's choice took 198 to 219.

`

const SOCKET_PROXY = `
- **socket-proxy**: wollomatic/socket-proxy, a filter in Go that lets every GET through; it runs on as many cores as there are.`

/** docs/performance.md, from what was measured. */
export function page(groups: readonly Group[], on: Machine, rounds: number): string {
  const sections = groups.map((group) => {
    return `## ${group.name}\n\n${group.how}\n\n${table(group, YARDSTICKS)}\n`
  })
  const has = (name: string): boolean => groups.some(({ rows }) => rows.some((row) => cellOf(row, name)))
  return `# Performance

Written by \`npm run bench\`. Everything in a table was measured in one run, in turn, on one machine, which the load, the engine
and the program under test share; a figure is the median of ${rounds} rounds, and in brackets stands the median of its ratios, round by
round, to the direct connection (or, where there is none, to the relay, the audit off, one worker). Compare the ratios; the figures
by themselves say more about the machine.

- **relay**: a bare Node program that hands each call to undici and the answer back (bench/relay.ts): what Node costs by itself.
- **bridge**: this program, with its audit record off unless the row says otherwise.
- **haproxy**, **nginx**: Debian's, with the least configuration.${has('socket-proxy') ? SOCKET_PROXY : ''}

Machine: ${on.processors}, ${on.memory}, ${on.kernel}; Node ${on.node}; ${on.tools}.

## Targets

What was aimed at, and what this run gave. Why some are not met stands at the end of this page.

${targetsTable(groups)}

${sections.join('\n')}
${LIMITS}`
}
