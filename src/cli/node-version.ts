/** As package.json says (engines); reading that would be a file more at each start. */
export const LEAST_NODE = '22.18'

/** The error for an older Node, which would print the program's source; undefined if the program can run. */
export function nodeProblem(version: string, path: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = LEAST_NODE.split('.').map(Number)
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined
  return `enginebridge needs Node.js ${LEAST_NODE} or newer, and ${path} is ${version}: install a newer one and put it first in the PATH`
}
