import { readChainKey } from '../../audit/sink.ts'
import { fileLines } from '../../audit/written/read-lines.ts'
import { type Verdict, Verifier } from '../../audit/written/verify.ts'
import { type Io, type Run, UsageError, unusable } from '../command.ts'
import { progress } from '../words/progress.ts'
import { count, fill, type Look, lookOf, write } from '../words/text.ts'

const SHOWN = 50

/** `enginebridge audit verify FILE…`: follows the chain of audit records, and says which lines are not as they were written. */
export const run: Run = async ({ words, value, has }, io) => {
  const wanted = value('until')
  if (wanted !== undefined && !/^[0-9a-f]{64}$/.test(wanted)) throw new UsageError('--until takes a hash: 64 digits')
  const verdict = await verify(words, io, value('key'), wanted)
  write(io, has('json') ? verdict : undefined, () => report(words, verdict, lookOf(io)))
  return verdict.problems.length === 0 && verdict.met ? 0 : 1
}

/** `audit.log*` names the log before its rotations, and `.1`, the newest, before `.2`. Any other order is the reader's. */
function inTime([log = '', ...rotated]: readonly string[]): readonly string[] {
  if (!rotated.every((file) => file.startsWith(`${log}.`))) return [log, ...rotated]
  const age = (file: string): number =>
    Number(/^\.(\d+)(?:\.gz|\.zst)?$/.exec(file.slice(log.length))?.[1] ?? Number.MAX_VALUE)
  return [...rotated.toSorted((a, b) => age(b) - age(a)), log]
}

/** A file that cannot be read gives no verdict: the exit code is that of a wrong command line. */
async function verify(files: readonly string[], io: Io, keyFile?: string, wanted?: string): Promise<Verdict> {
  try {
    const verifier = new Verifier(keyFile === undefined ? undefined : await readChainKey(keyFile), wanted)
    for await (const line of progress(fileLines(inTime(files)), io, (done) => `read ${done} lines`)) verifier.line(line)
    const verdict = verifier.verdict()
    if (verdict.first !== undefined) return verdict
  } catch (cause) {
    unusable(cause)
  }
  throw new UsageError('no line of these files belongs to a chain (--audit-chain on writes one)')
}

function report(files: readonly string[], verdict: Verdict, { columns, paint }: Look): string[] {
  const { problems, lines, first = 0, last, torn, met } = verdict
  const read = `${count(lines, 'line')} in ${count(files.length, 'file')}`
  const title =
    problems.length === 0 ? `The chain is whole: ${read}.` : `${count(problems.length, 'problem')} in ${read}.`
  return [
    ...problems.slice(0, SHOWN).map(({ file, line, words }) => `${file}:${line}: ${words}`),
    ...(problems.length > SHOWN ? [`… and ${problems.length - SHOWN} more`] : []),
    paint(problems.length === 0 ? 'green' : 'red', title),
    ...(first > 1 ? [`Numbers 1 to ${first - 1} are not among these files.`] : []),
    ...(torn > 0 ? [`${count(torn, 'torn line')} of a crash, which the log itself reports.`] : []),
    ...(met ? [] : [paint('red', 'The line with the hash of --until is not among them: lines are missing.')]),
    ...(last === undefined ? [] : fill(`The last line is number ${last.seq}, ${last.hash}.`, columns)),
    ...fill(
      'Lines that were cut off at the end leave no trace here: compare this with what was noted elsewhere.',
      columns,
    ),
  ]
}
