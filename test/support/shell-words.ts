/** A command of documentation: what it is called with, and the variables before it. */
export interface ShellCommand {
  readonly env: Readonly<Record<string, string>>
  readonly words: readonly string[]
}

/** Words of the first simple command of a line: quotes are taken off, a comment, pipe or redirection ends it. */
export function shellCommand(line: string): ShellCommand {
  const words: string[] = []
  const token = /\s*(?:(#.*|[|;&<>].*)|((?:[^\s"'\\|;&<>]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+))/y
  for (let found = token.exec(line); found !== null; found = token.exec(line)) {
    if (found[2] === undefined || found[2].startsWith('#')) break
    words.push(found[2].replaceAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g, (_, a, b, c) => a ?? b ?? c))
  }
  const env: Record<string, string> = {}
  while (/^[A-Z_]+=/.test(words[0] ?? '')) {
    const [name = '', ...value] = (words.shift() ?? '').split('=')
    env[name] = value.join('=')
  }
  return { env, words }
}

/** Lines of the fenced blocks that a shell reads: all of `sh`, those after a prompt of `console`. */
export function shellLines(markdown: string): string[] {
  return [...markdown.matchAll(/^```(sh|bash|console)\n(.*?)^```$/gms)].flatMap(([, kind, text = '']) =>
    text
      .replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => kind !== 'console' || line.startsWith('$ '))
      .map((line) => (kind === 'console' ? line.slice(2) : line)),
  )
}
