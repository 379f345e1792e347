import type { Explained } from '../explain.ts'

/** Clients from 1.23 on: what a pin, or an engine that serves only newer versions, cannot say or do. */
const differences: readonly Omit<Explained, 'scenario'>[] = [
  {
    why: 'Asked for 1.42 or newer an engine has no limit of kernel memory: a container is not made without a limit that its client asked for.',
    at: [
      { against: 'own', calls: '028', paths: ['status'], problem: /^is 400, there 201$/ },
      { against: 'own', calls: '029', paths: ['text'], problem: /^is KernelMemory is not supported/ },
      { against: 'own', calls: '110', paths: ['status'], problem: /^is 404, there 200$/ },
      { against: 'own', calls: '004', paths: ['body.KernelMemory'], problem: /^is false, there true$/ },
    ],
  },
  {
    why: 'A target from 1.30 on ends a build with a record of the image’s id (1.30/build-aux): the stream passes as bytes, and older clients skip what they do not know.',
    at: [{ against: 'own', calls: '168', paths: ['body'], problem: /^is \[\["aux"\],\["stream"\]\], there/ }],
  },
  {
    why: 'Asked for 1.45 or newer an engine no longer tells by which container an image was made: what an image itself says is shown.',
    at: [
      {
        against: 'own',
        calls: '021 166',
        paths: [
          'body.Container',
          ...['Cmd', 'Hostname', 'Image', 'Labels.k'].map((member) => `body.ContainerConfig.${member}`),
        ],
      },
    ],
  },
  {
    why: 'Podman writes its errors about paths as text at every version; the bridge gives them the form of the client’s version.',
    at: [
      {
        against: 'own',
        calls: '014 015 178',
        paths: ['type'],
        ways: ['podman-5.4 direct'],
        problem: /^is text\/plain; charset=utf-8, there application\/json$/,
      },
    ],
  },
  {
    why: 'What is newer than the client (mounts, before 1.25) is taken out of its request, as an engine of its version ignores it; asked directly, engines take it at every version.',
    at: [
      {
        against: 'own',
        calls: '218',
        paths: ['body.VolumesDeleted'],
        clients: ['1.24'],
        problem: /^is \["(<id>","rec-mounted|rec-mounted","<id>)"\], there \["<id>"\]$/,
      },
    ],
  },
]

export const later: readonly Explained[] = differences.map((entry) => ({ ...entry, scenario: 'later' }))
