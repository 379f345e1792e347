/** As package.json says (engines); reading that would be a file more at each start. */
export const LEAST_NODE = '22.18'

/** A sentence for whoever runs it on an older Node: what that prints by itself is the source of the program. Undefined where it can run. */
export function nodeProblem(version: string, path: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = LEAST_NODE.split('.').map(Number)
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined
  return `enginebridge needs Node.js ${LEAST_NODE} or newer, and ${path} is ${version}: install a newer one and put it first in the PATH`
}
