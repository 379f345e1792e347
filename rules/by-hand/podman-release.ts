import type { StepContext } from '../../src/translate/message.ts'

const numbersIn = (release: string): number[] => release.split('.', 2).map((part) => Number.parseInt(part, 10) || 0)

/** Whether a Podman is older than a release, `4.6`; one that does not say its own counts as older. */
export function isPodmanBefore(release: string, { engine }: StepContext): boolean {
  const [[major = 0, minor = 0], [sinceMajor = 0, sinceMinor = 0]] = [numbersIn(engine.release), numbersIn(release)]
  return major < sinceMajor || (major === sinceMajor && minor < sinceMinor)
}
