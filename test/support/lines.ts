/**
 * The lines of a file that another program may be writing to at this moment. A reader can see the first part of one
 * `write` (a file grows page by page), so what stands behind the last line end is no line yet.
 */
export const finishedLines = (text: string): string[] => {
  const end = text.lastIndexOf('\n')
  return end === -1
    ? []
    : text
        .slice(0, end)
        .split('\n')
        .filter((line) => line !== '')
}
