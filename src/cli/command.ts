import { getSystemErrorMessage } from 'node:util'
import type { Flag } from '../config/command-line.ts'
import { messageOf } from '../config/text.ts'
import type { SettingName } from '../proxy/settings/settings.ts'

/** A row of the table of subcommands (commands.ts). Help, man page and completion are projections of it. */
export interface Command {
  /** The name that people type; two words for a group: `audit verify`. */
  readonly name: string
  /** The arguments after the name, as help shows them and arguments.ts reads them: `FILE… [METHOD PATH] [--json]`. Words without brackets must be there. */
  readonly usage: string
  /** One sentence for the list of commands. */
  readonly sentence: string
  /** Lines of `enginebridge help NAME`, at most 80 columns wide each. */
  readonly details?: readonly string[]
  readonly flags?: readonly OwnFlag[]
  /** It reads the settings of `serve` as well; its help explains every one, names them all, or explains those given here. */
  readonly settings?: 'every' | 'named' | readonly SettingName[]
  /** The possible first arguments, for completion. */
  readonly completes?: readonly string[]
  /** Two command lines to copy, without the program's name. */
  readonly examples: readonly [string, string]
  /** The meaning of its exit codes, beyond 0 and the 2 of a wrong command line. */
  readonly exits?: Readonly<Record<number, string>>
  /** Its module is read only when it runs: the proxy itself must start fast. */
  readonly load: () => Promise<{ readonly run: Run }>
}

export interface OwnFlag extends Flag {
  /** The word of the usage line that it stands for. */
  readonly instead?: string
}

export const JSON_FLAG: OwnFlag = { name: 'json', help: 'write JSON instead of text' }

/** The arguments of a command. */
export interface Arguments {
  readonly words: readonly string[]
  /** The last value of a flag. */
  value(name: string): string | undefined
  has(name: string): boolean
  /** The flags of `serve` among them, for readConfig. */
  readonly settings: readonly string[]
}

/** Runs a subcommand. Resolves with the exit code; rejects with a UsageError or another. */
export type Run = (given: Arguments, io: Io) => Promise<number>

/** The process as a subcommand sees it. Tests give their own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Output
  readonly stderr: Output
  /** The first SIGINT or SIGTERM after it was asked for; from then on these no longer end the process. */
  readonly stopping: () => Promise<NodeJS.Signals>
  /** A line that a person types after the question; undefined without a terminal. */
  readonly ask: (question: string) => Promise<string | undefined>
  /** Sets the action of SIGHUP: files are read or opened again. */
  readonly onHangup: (reload: () => void) => void
}

export interface Output {
  write(text: string): void
  /** Colours and the width of the screen are for people only: a pipe gets plain text of 80 columns. */
  readonly isTTY: boolean
  readonly columns: number
}

/** A command line that cannot be used; the program says so with a pointer to the help and ends with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Fails for an argument or a file that a command cannot read. */
export function unusable(cause: unknown): never {
  const { errno, path } = cause as NodeJS.ErrnoException
  const message = messageOf(cause)
  const words = errno === undefined || path === undefined ? message : `${path}: ${getSystemErrorMessage(errno)}`
  throw new UsageError(words, { cause })
}
