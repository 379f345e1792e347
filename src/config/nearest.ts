/** Words that differ by more are not misspellings. */
const MAX_CHANGED = 3

/** Optimal string alignment: insertions, deletions, substitutions and swaps of adjacent letters. */
function distance(one: string, other: string): number {
  let [beforeLast, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, i) => i)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const changed = (last[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const swaps = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swapped = swaps ? (beforeLast[j - 2] ?? Infinity) + 1 : Infinity
      row.push(Math.min(changed, swapped, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    ;[beforeLast, last] = [last, row]
  }
  return last[other.length] ?? 0
}

/** The known word that was probably meant: within a few edits, or starting with the given one. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const said = given.toLowerCase()
  const most = Math.min(MAX_CHANGED, Math.ceil(said.length / 3))
  const close = known
    .filter((word) => Math.abs(word.length - said.length) <= most)
    .map((word) => ({ word, away: distance(said, word.toLowerCase()) }))
    .filter(({ away }) => away <= most)
    .toSorted((a, b) => a.away - b.away)
  return close[0]?.word ?? known.find((word) => said.length > 2 && word.toLowerCase().startsWith(said))
}

/** `; did you mean --listen?`, or `otherwise` if nothing is near. */
export function didYouMean(given: string, known: readonly string[], otherwise = ''): string {
  const word = nearest(given, known)
  return word === undefined ? otherwise : `; did you mean ${word}?`
}
