import type { Command } from './command.ts'
import { about } from './table/about.ts'
import { logs } from './table/logs.ts'
import { serving } from './table/serving.ts'
import { translation } from './table/translation.ts'

/**
 * Every subcommand, in the order of the help. A new one is a row of a table and a module with `run(args, io)`; help, man page,
 * shell completion and docs/cli.md follow.
 */
export const commands: readonly Command[] = [...serving, ...translation, ...logs, ...about]
