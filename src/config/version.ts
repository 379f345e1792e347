import manifest from '../../package.json' with { type: 'json' }

/** What package.json says. */
export const ownVersion = (): string => manifest.version
