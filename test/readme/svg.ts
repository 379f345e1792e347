/** A picture of a terminal that shows its steps one after the other (CSS; without motion if the reader prefers that). */

export interface Step {
  readonly command: string
  readonly output: string
  /** Shows the output as an error. */
  readonly failed: boolean
}

const LINE = 22
const COLUMNS = 112
const MARGIN = 20
const BAR = 34
const WIDTH = 920
const SECONDS_A_STEP = 2

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Breaks lines at blanks: terminals break them anywhere, which is harder to read. */
function wrapped(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = []
    let rest = line
    while (rest.length > COLUMNS) {
      const at = rest.lastIndexOf(' ', COLUMNS)
      lines.push(rest.slice(0, at))
      rest = rest.slice(at + 1)
    }
    return [...lines, rest]
  })
}

export function picture(steps: readonly Step[], title: string): string {
  let y = BAR + MARGIN
  const shown = steps.map(({ command, output, failed }, i) => {
    const lines = [
      ...wrapped(`$ ${command}`).map((text) => ({ text, kind: 'typed' })),
      ...(output === '' ? [] : wrapped(output)).map((text) => ({ text, kind: failed ? 'failed' : 'said' })),
    ]
    const texts = lines.map(({ text, kind }) => {
      y += LINE
      return `<text class="${kind}" x="${MARGIN}" y="${y}" xml:space="preserve">${escaped(text)}</text>`
    })
    y += LINE / 2
    return `<g class="step" style="animation-delay:${i * SECONDS_A_STEP}s">${texts.join('\n')}</g>`
  })
  const height = y + MARGIN
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #d6dbe5 }
.typed { fill: #fff; font-weight: 600 } .failed { fill: #ff7b72 }
.step { animation: come .4s ease-out backwards }
@keyframes come { from { opacity: 0 } }
@media (prefers-reduced-motion: reduce) { .step { animation: none } }
</style>
<rect width="${WIDTH}" height="${height}" rx="10" fill="#0d1117"/>
<circle cx="22" cy="20" r="6" fill="#ff5f57"/><circle cx="42" cy="20" r="6" fill="#febc2e"/><circle cx="62" cy="20" r="6" fill="#28c840"/>
${shown.join('\n')}
</svg>
`
}
