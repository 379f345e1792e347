import { type Command, JSON_FLAG } from '../command.ts'

export const about: readonly Command[] = [
  {
    name: 'completion',
    usage: 'SHELL',
    sentence: 'print a script that completes commands and flags in a shell',
    details: ['SHELL is bash, zsh (after compinit) or fish.'],
    completes: ['bash', 'zsh', 'fish'],
    examples: ['completion bash > /etc/bash_completion.d/enginebridge', 'completion fish | source'],
    load: () => import('../commands/completion.ts'),
  },
  {
    name: 'version',
    usage: '[--json]',
    sentence: 'print the version of enginebridge and of Node',
    flags: [JSON_FLAG],
    examples: ['version', 'version --json'],
    load: () => import('../commands/version.ts'),
  },
  {
    name: 'help',
    usage: '[TOPIC…] [--json]',
    sentence: 'explain a command or a group of settings',
    details: ['TOPIC is a command, or a group of settings.'],
    flags: [{ name: 'json', help: 'write every command and setting as JSON' }],
    examples: ['help audit verify', 'help timeouts'],
    load: () => import('../help.ts'),
  },
]
