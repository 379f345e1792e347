/**
 * Known differences for which nothing is to be done, each with the reason.
 */
export interface Untranslated {
  readonly id: string
  readonly reason: string
}

/** moby v20.10.24, api/server/router: versions are compared with 1.12, 1.13, 1.16, 1.19 and newer ones. */
const NO_DIFFERENCE =
  'Engine 20.10, the newest that serves it, tells it from the version before by nothing; what 1.18 gave holds for it.'

const REASONS: Readonly<Record<string, string>> = {
  // 1.13 to 1.18
  '1.14/nothing-by-prefix': NO_DIFFERENCE,
  '1.15/nothing-by-prefix': NO_DIFFERENCE,
  '1.17/nothing-by-prefix': NO_DIFFERENCE,
  '1.18/nothing-by-prefix': NO_DIFFERENCE,
  // 1.19
  '1.19/version-mismatch-status':
    'the bridge answers versions that are out of its range itself, and never asks the engine for one',
  '1.19/log-driver-journald':
    'engine 1.6 takes the name at create and refuses the start in its own words, which is the right answer',
  '1.19/list-image-suffix':
    'engine 1.6 shows any repository name of the image id, which the answer of another engine does not tell',
  '1.19/not-found-status':
    'how engine 1.6 finds a status from its error texts: where an operation differs, a change of its own says so',
  '1.19/link-local-ipv6-empty':
    'newer engines give containers no such address: one made from the MAC address would not answer',
  '1.19/events-first-byte':
    'engine 1.7 sends its head with the first record; a head of our own would go out before the engine can refuse',
  // 1.20
  '1.20/copy-deprecated':
    'still served by the engines that deprecate it; 1.24/copy-removed says what is done where it is gone',
  '1.20/build-remote-tarball':
    'whether a remote file is a tarball is known when it has been fetched: an older engine reports its own error',
  '1.20/dockerfile-with-remote': 'the same code as 1.20/build-remote-tarball: the parameters go on as they are',
  '1.20/commit-pause-changes': 'documents only: engine 1.6 honours both parameters',
  '1.20/exec-ids-live':
    'no engine tells of finished execs once it has forgotten them, and those of 1.6 and 1.7 do no harm',
  '1.20/netsettings-bridge-empty':
    'the name of the bridge is a setting of the daemon that inspect does not tell; "" is what 1.8 says at every prefix',
  '1.20/pull-unreachable-status':
    'a registry without TLS that does not answer is 1.25/error-words; otherwise the status went back and forth between releases',
  // 1.21
  '1.21/images-create-digest': 'Documents only: every engine since 1.6 pulls by digest, so the parameters pass.',
  '1.21/commit-image-id-form': 'Nothing changed in 1.21; the sha256: prefix of engine 1.10 is 1.22/image-id-prefix.',
  '1.21/memory-swap-default':
    'A value that the engine computes and then honours (twice Memory): showing 0 instead would be untrue.',
  '1.21/server-header':
    'Server names the engine that answered. Old clients ignore it; an engine without it gets none put in its mouth.',
  '1.21/build-step-count': 'Free text for people inside the build’s output, which passes as bytes.',
  '1.21/image-delete-in-use-text':
    'Wording of a 409 that carries other ids than before; the old text cannot be made of it, and no client parses it.',
  '1.21/cpuset-validated':
    'An impossible cpuset is refused by engines from 1.9 on and accepted before: each engine judges its own CPUs.',
  // 1.22
  '1.22/kernel-memory-minimum':
    'Raising a limit below 4 MB to 4 MB would loosen what the client asked for: the engine answers, and its refusal is passed on.',
  '1.22/pull-push-cancel':
    'A pull or push ends when its client leaves, as on every engine since 1.10; to go on without a client would hold the engine busy for nobody.',
  '1.22/version-build-time-format':
    'A date for people: in either format it is text, and BuildTime of the engine that answers is no one else’s.',
  '1.22/network-default-subnet':
    'The subnet that the engine really uses, where 1.9 showed an empty pool: what was asked for at creation is not kept, so it cannot be told from a subnet that was chosen.',
  '1.22/save-manifest-json':
    'The tar passes as bytes; engines 1.10 to 24 keep the older layout beside the newer one (what engine 25 changed is 1.44/save-oci-layout).',
  '1.22/list-image-fallback':
    'An id in the place of a name whose tag has moved: the name is lost in the engine too. The form of that id is 1.22/image-id-prefix.',
  '1.22/image-delete-force-running':
    'With force the engine takes the tag off an image in use; the older 409 would be a refusal of what has been done.',
  '1.22/network-connect-stopped':
    'An engine 1.9 cannot connect a container that does not run; its error is passed on. The way up only allows more.',
  '1.22/start-failure-exit-code':
    '-1, 127 or 128 after a failed start: each engine’s own code, and a shell gives the same numbers for other reasons, so none can be told to be meant.',
  // 1.23
  '1.23/image-id-documented': 'Only the examples of the documents changed; the engine’s step is 1.22/image-id-prefix.',
  // 1.24
  '1.24/tag-force-removed':
    'A step of the documents; the parameter lost its effect with 1.22/tag-force, which translates it.',
  '1.24/kill-no-such-text':
    'The text changed with engine 1.10, and 1.22/not-found-text translates it for every container endpoint.',
  '1.24/hostname-validation': 'Only engines 1.12.0 and 1.12.1 checked host names; no engine before or after them does.',
  '1.24/not-found-route-body':
    'An unknown path is no operation. Its error has the form of the client’s version all the same (untouched in src/translate/compile.ts); so have the words that are recorded.',
  '1.24/create-checks':
    'Newer engines refuse at create what older ones refused at start, or let pass with values that mean nothing. There is no form of the request that they would accept.',
  '1.24/exec-failure-exit-code':
    'An exec that could not start shows 126, before -1: nothing tells it from a command that ended with 126.',
  // 1.25
  '1.25/ipam-validated':
    'Addresses are checked at create; before, a bad one failed at start. Either way the container does not run.',
  '1.25/version-min-api': 'The bridge names its own range in /version for every client (src/translate/own.ts).',
  // 1.26
  // 1.27
  // 1.28
  '1.28/attach-ws-binary':
    'Older clients got text frames, newer ones get binary frames with the same payload. Tunnels pass byte for byte, websocket frames included; browsers and libraries read either.',
  // 1.29
  // 1.30
  '1.30/build-aux':
    'The record with the image id at the end of a build is new. The progress of build, pull and push passes byte for byte, and clients before 1.30 skip records without stream, status or error.',
  // 1.31
  // 1.32
  // 1.33
  // 1.34
  // 1.35
  '1.35/too-new-check-back':
    'Engines 1.13.1 to 17.11 accept any newer version. The bridge answers a version that is too new itself and never asks the engine with one: it reads its range from GET /version.',
  // 1.36
  // 1.37
  // 1.38
  // 1.39
  // 1.40
  // 1.41
  '1.41/memory-minimum':
    'The least memory limit rose from 4 to 6 MB. The engine answers 400 with its own words; to raise a limit that a client chose would be to run another container than it asked for.',
  // 1.42
  '1.42/update-without-body':
    'Engines up to 20.10 answered an update without a body with 500 and EOF, newer ones take it as one that changes nothing, which it is: to refuse it would help nobody.',
  // 1.43
  // 1.44
  '1.44/legacy-prefixes-gone':
    'Which versions an engine still serves decides the target version (src/engine/discovery.ts), and with it which changes of the gate prefix are in force.',
  '1.44/errors-joined':
    'Errors of network settings come all at once and when the container is made. The words are the engine’s own, the first line is what an older engine said, and the status stays.',
  '1.44/save-oci-layout':
    'Saved images have another layout inside the tar, which streams through untouched; to rewrite it the whole archive would have to be held and made again.',
  // 1.45
  '1.45/search-is-automated':
    'Engines from 26 on always answer false; whether an image is built automatically cannot be learnt from anything else.',
  // 1.46
  // 1.47
  // 1.48
  // 1.49
  // 1.50
  // 1.51
  // 1.52
  '1.52/load-legacy-tar':
    'A tar that an engine before 1.10 saved would have to be taken apart and written anew; tars pass as bytes, and the engine’s own error says what is wrong.',
  // 1.53
  '1.53/auth-header-second-value':
    'An X-Registry-Auth that holds two values counts as none from engine 29.2 on, before as its first. No engine says so and no client sends two; the header passes as it came. What stands behind the JSON of a body is taken off or refused (src/translate/run/rest.ts).',
  // 1.54
  // 1.55
  // 1.56
  // 1.57
  // Announced for a later version; no published document names it.
  '1.58/commit-no-pause':
    'The maintainers consider a no-pause in the place of pause=0 of commit (moby #51019). No engine knows a new name yet, and every one knows the old; a row of v1.58.ts renames it when it is named.',
}

export const untranslated: readonly Untranslated[] = Object.entries(REASONS).map(([id, reason]) => ({ id, reason }))
