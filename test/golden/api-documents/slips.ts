/** Errors that a document makes of bodies of real engines because the document is wrong, and the last version that is. */
export const documentSlips: readonly { readonly says: RegExp; readonly until?: number; readonly reason: string }[] = [
  {
    says: /\/AccessibilityRequirements\/\w+\/\d+\/Segments must be string/,
    until: 52,
    reason: 'a map; put right in 1.53',
  },
  { says: /^ContainerInspect \/ExecIDs must be string$/, until: 37, reason: 'a list of ids; put right in 1.38' },
  {
    says: /^ContainerInspect \/NetworkSettings\/Ports must be array,null$/,
    until: 31,
    reason: 'a map; put right in 1.32',
  },
  {
    says: /HostConfig\/PortBindings\/[^/]+ must be object,null$/,
    until: 34,
    reason: 'a list of bindings; put right in 1.35',
  },
  {
    says: /HostConfig\/MemorySwappiness must be integer$/,
    reason: 'null where it is not set (*int64 in every engine)',
  },
  { says: /^ExecInspect \/ExitCode must be integer$/, reason: 'null while the command runs (*int in every engine)' },
  {
    says: /^ContainerCreate \/(Cmd|Entrypoint|HostConfig\/Cap(Add|Drop)) must be array,null$/,
    until: 51,
    reason: 'a text or a list: every engine up to 28 reads either, 1.52/strict-types makes a list for 29',
  },
  {
    says: /^ContainerCreate \/HostConfig\/Memory must be integer$/,
    reason:
      'a text such as "1g", which 1.6 took for no limit: newer engines refuse the call, which is better than no limit',
  },
  {
    says: /^Network(Inspect|Create) \/IPAM\/Options must be array,null$/,
    until: 38,
    reason: 'a map; put right in 1.39',
  },
  {
    says: /^Network(Inspect|Create) \/IPAM\/Config\/\d+\/AuxiliaryAddresses must be string$/,
    until: 40,
    reason: 'a map of addresses; put right in 1.41',
  },
]

/**
 * Errors of bodies that are made from a document with a wrong or missing type of a member. No engine ever wrote such a body, and the
 * reader's document rejects it. `until`: the last version whose document is wrong.
 */
export const madeWrong: readonly { readonly says: RegExp; readonly until: number; readonly reason: string }[] = [
  { says: /^ContainerInspect \/ExecIDs must be array,null$/, until: 37, reason: 'a text in the document' },
  {
    says: /\/(Cmd|Entrypoint) must be array,null$/,
    until: 34,
    reason: 'a list or a text in the document: of members of two types our bodies have an object',
  },
  {
    says: /^Network(Inspect|Create) \/IPAM\/Options must be object,null$/,
    until: 38,
    reason: 'a list of maps in the document',
  },
  {
    says: /HostConfig\/PortBindings\/[^/]* must be array,null$/,
    until: 34,
    reason: 'one binding in the document, where engines have a list',
  },
  {
    says: /^ContainerInspect \/NetworkSettings\/Ports must be object,null$/,
    until: 31,
    reason: 'a list in the document',
  },
  {
    says: /\/Mounts\/\d+\/BindOptions\/Propagation must be string$/,
    until: 34,
    reason: 'of no type in the document, which has a list of its values alone',
  },
  { says: /\/Mounts\/\d+\/Source must be string$/, until: 29, reason: 'of no type in the document' },
]
