/**
 * Calls of the recordings that the scenario leaves out, with the reason. `needless` finds them by the number they begin
 * with.
 */
const left: readonly { readonly why: string; readonly calls: readonly (string | readonly [string, string])[] }[] = [
  {
    why: 'They talk to a registry, which the recordings had and the engines here have not.',
    calls: ['006', ['082', '086'], ['089', '097'], '144', '664'],
  },
  {
    why: 'Engines look for a plugin for 15 seconds.',
    calls: [['208', '210'], ['256', '258'], '576', '597'],
  },
  {
    why: 'They take seconds and say nothing that a cheaper call does not say.',
    calls: ['106', '202', '207', '228', '231', '268', '274', '277', '490', '492', '638'],
  },
  {
    why: 'What stop and restart make of a time that is no number takes the ten seconds that it says; rules/v1.25 has examples.',
    calls: ['561', '562'],
  },
  {
    why: 'Their first byte comes with the next event, and nothing happens on these engines meanwhile.',
    calls: ['660'],
  },
  {
    why: 'The answer hangs on what two processes do first: it differs from run to run on one engine.',
    calls: ['391', '414', ['535', '538']],
  },
  {
    why: 'They need a running container of an image of its own; the created one shows the same.',
    calls: ['551', '552'],
  },
]

export function needless(name: string): boolean {
  const number = name.slice(0, 3)
  return left.some(({ calls }) =>
    calls.some((call) => (typeof call === 'string' ? call === number : call[0] <= number && number <= call[1])),
  )
}
