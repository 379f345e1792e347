/** Version of the record schema: members may be added to it, not changed or removed. */
export const SCHEMA = 2

export const STAGES = ['received', 'answered', 'complete', 'failed'] as const
export type Stage = (typeof STAGES)[number]

/** Each level records more than the previous one. */
export const LEVELS = ['none', 'metadata', 'request', 'requestResponse'] as const
export type Level = (typeof LEVELS)[number]

/** Names in a path, by the first segment of the operation's path. */
export const KINDS = {
  containers: 'container',
  images: 'image',
  distribution: 'image',
  exec: 'exec',
  networks: 'network',
  volumes: 'volume',
  plugins: 'plugin',
  services: 'service',
  nodes: 'node',
  tasks: 'task',
  secrets: 'secret',
  configs: 'config',
} as const satisfies Record<string, string>
export type Kind = (typeof KINDS)[keyof typeof KINDS]
