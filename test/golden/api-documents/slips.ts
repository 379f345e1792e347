/** What bodies of real engines are not, though a document says so: an error of the check, and the last version that has it. */
export const documentSlips: readonly { readonly says: RegExp; readonly until?: number; readonly reason: string }[] = [
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
]
