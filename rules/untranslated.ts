/** moby v20.10.24, api/server/router: versions are compared with 1.12, 1.13, 1.16, 1.19 and newer ones. */
const NO_DIFFERENCE =
  'Engine 20.10, the newest that serves this version, treats it like the version before it; the answers of 1.18 apply.'

/** Known differences that the bridge does not translate, each with its reason. */
export const untranslated: Readonly<Record<string, string>> = {
  // 1.13 to 1.18
  '1.14/nothing-by-prefix': NO_DIFFERENCE,
  '1.15/nothing-by-prefix': NO_DIFFERENCE,
  '1.17/nothing-by-prefix': NO_DIFFERENCE,
  '1.18/nothing-by-prefix': NO_DIFFERENCE,
  // 1.19
  '1.19/version-mismatch-status':
    'the bridge answers versions outside its range itself, and never forwards one to the engine',
  '1.19/log-driver-journald':
    'engine 1.6 accepts the name at create and refuses the start with its own error, which is the right answer',
  '1.19/list-image-suffix':
    'engine 1.6 shows any one repository name of the image id; the answer of another engine does not say which',
  '1.19/not-found-status':
    'engine 1.6 derives the status from its error texts: an operation that differs has its own change',
  '1.19/link-local-ipv6-empty':
    'newer engines assign no link-local IPv6 address: one computed from the MAC address would not answer',
  '1.19/events-first-byte':
    'engine 1.7 sends its head with the first record; if the bridge sent one earlier, the engine could no longer refuse',
  // 1.20
  '1.20/build-remote-tarball':
    'only the download shows whether a remote file is a tarball: an older engine reports its own error',
  '1.20/dockerfile-with-remote': 'the same code as 1.20/build-remote-tarball: the parameters pass unchanged',
  '1.20/commit-pause-changes': 'documents only: engine 1.6 honours both parameters',
  '1.20/exec-ids-live':
    'newer engines no longer list finished execs; the finished ones that engines 1.6 and 1.7 list do no harm',
  '1.20/netsettings-bridge-empty':
    'the name of the bridge is a daemon setting that inspect does not show; engine 1.8 answers "" at every prefix',
  '1.20/pull-unreachable-status':
    '1.25/error-words handles a registry without TLS that does not answer; otherwise the status alternated between releases',
  // 1.21
  '1.21/images-create-digest': 'Documents only: every engine since 1.6 pulls by digest, so the parameters pass.',
  '1.21/memory-swap-default': 'The engine computes this value (twice Memory) and applies it: showing 0 would be wrong.',
  '1.21/server-header':
    'Server names the engine that answered. Old clients ignore it; the bridge does not invent one for an engine that sends none.',
  '1.21/build-step-count': 'Free text for people in the build output, which passes byte for byte.',
  '1.21/image-delete-in-use-text':
    'The text of a 409, with other ids than before; the old text cannot be derived from it, and no client parses it.',
  '1.21/cpuset-validated':
    'Engines from 1.9 on refuse an impossible cpuset, earlier ones accept it: each engine checks its own CPUs.',
  // 1.22
  '1.22/kernel-memory-minimum':
    'Raising a limit below 4 MB to 4 MB would loosen the limit that the client set: the refusal of the engine is passed on.',
  '1.22/pull-push-cancel':
    'A pull or push ends when its client disconnects, as on every engine since 1.10; continuing would keep the engine busy for nobody.',
  '1.22/version-build-time-format':
    'A date for people: both formats are text, and BuildTime describes the engine that answers.',
  '1.22/network-default-subnet':
    'Newer engines show the subnet in use where engine 1.9 showed an empty pool. They do not keep the request, so a default subnet looks like a chosen one.',
  '1.22/save-manifest-json':
    'The tar passes byte for byte; engines 1.10 to 24 write the older layout beside the newer one (1.44/save-oci-layout covers engine 25).',
  '1.22/list-image-fallback':
    'The list shows an id if the tag of the image has moved: the engine has lost the name too. 1.22/image-id-prefix covers the form of the id.',
  '1.22/image-delete-force-running':
    'With force the engine removes the tag of an image in use; the older 409 would deny a change that was made.',
  '1.22/network-connect-stopped':
    'Engine 1.9 cannot connect a stopped container; its error is passed on. For an older client, a newer engine only allows more.',
  '1.22/start-failure-exit-code':
    'After a failed start engines show -1, 127 or 128. Shells use the same numbers for other failures, so the cause of a code is unknown.',
  // 1.24
  '1.24/not-found-route-body':
    'An unknown path belongs to no operation. Its error still has the form of the client’s version (untouched in src/translate/compile.ts), as recorded.',
  '1.24/create-checks':
    'Newer engines refuse values at create that older ones refused at start or ignored. They would accept no form of the request.',
  '1.24/exec-failure-exit-code':
    'An exec that failed to start shows 126, before -1: it looks like a command that exited with 126.',
  // 1.25
  '1.25/ipam-validated':
    'Addresses are checked at create; before, a bad address failed at start. Either way the container does not run.',
  // 1.28
  '1.28/attach-ws-binary':
    'Older clients got text frames, newer ones get binary frames with the same payload. Tunnels pass byte for byte, websocket frames included; browsers and most libraries read either (aiodocker binary ones only).',
  '1.28/plugin-disable-force':
    'Documents only: engines read the parameter from 1.25 on, with the first plugins (plugin_routes.go @v1.13.0).',
  // 1.35
  '1.35/too-new-check-back':
    'Engines 1.13.1 to 17.11 accept any newer version. The bridge answers a version that is too new itself and never asks the engine with one: it reads its range from GET /version.',
  // 1.41
  '1.41/memory-minimum':
    'The minimum memory limit rose from 4 to 6 MB. The engine answers 400; raising the limit would run another container than the client asked for.',
  // 1.42
  '1.42/update-without-body':
    'Engines up to 20.10 answered an update without a body with 500 and EOF; newer ones treat it as an update without changes. Refusing it would help nobody.',
  '1.42/create-without-body':
    'Engines up to 24 refused a volume, an exec, its start and changes of networks without a body (got EOF while reading request body). Newer ones create a volume with a random name and refuse the rest by the missing member.',
  // 1.44
  '1.44/read-only-below-by-default':
    'Engines from 25 on make what is mounted below a read-only bind read-only too, where the kernel can; older ones cannot. A client that insists (ReadOnlyForceRecursive) is refused.',
  '1.44/ipam-as-sent':
    'Older engines show a subnet or range with the host bits it was sent with; newer ones hold it without them, and nothing says what was sent.',
  '1.44/legacy-prefixes-gone':
    'The versions that an engine still serves decide the target version (src/engine/discovery.ts), and thereby which changes with the gate prefix apply.',
  '1.44/errors-joined':
    'Engines report all errors of network settings at once, at create. The first line of the text is that of an older engine, and the status stays.',
  '1.44/save-oci-layout':
    'Saved images have another layout inside the tar, which passes byte for byte; rewriting it would mean to buffer and rebuild the whole archive.',
  // 1.45
  '1.45/search-is-automated':
    'Engines from 26 on always answer false; no other answer says whether an image is built automatically.',
  // 1.50
  '1.50/exec-unknown-user':
    'Engines from 28.2 on refuse an exec for a user that the container does not have; before, its start failed with 126. No exec can be made whose start would.',
  // 1.52
  '1.52/load-legacy-tar':
    'A tar saved by an engine before 1.10 would have to be unpacked and rewritten; tars pass byte for byte, and the error of the engine explains the failure.',
  // 1.53
  '1.53/auth-header-second-value':
    'Engines from 29.2 on ignore an X-Registry-Auth with two values; earlier ones use the first. No engine announces this and no client sends two; the header passes unchanged. Text after the JSON of a body is removed or refused (src/translate/run/rest.ts).',
  // Announced for a later version; no published document names it.
  '1.58/commit-no-pause':
    'The maintainers consider a parameter no-pause instead of pause=0 for commit (moby #51019). No engine has it yet, and all have pause; once it exists, v1.58.ts will rename it.',
}
