import { describe, expect, it } from 'vitest'
import { look } from '../support/look.ts'
import { acceptedRequests, type RecordedRequest, refusedRequests } from '../support/recorded-requests.ts'

/**
 * What neither the bridge's validation nor engine 20.10 refuses, though an engine of the version did: it depends on what
 * the engine has, not on the request, or 20.10 lets it pass at the same prefix: the bridge is not stricter by default.
 */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'auth-registry': 'the registry is asked over another protocol: engines up to 1.10 had no v2 logins',
  'image-tag-again': 'whether the tag is set; rules/emulate/tag-force.ts looks',
  'image-load-bad': 'a stream, which is never parsed; the engine tells it in a record',
  'image-load-empty': 'a stream, as above',
  'commit-changes': '20.10 takes LABEL at every prefix; a finding',
  'create-bind-rel': '20.10 makes the volume at every prefix; a finding',
  'create-named-vol': 'as above',
  'create-pub': 'as above',
  'create-blkio': 'only a host that has the weight looks at it, 20.10 like 1.9; a finding',
  'create-cap-string': 'engine 1.7 alone refused it; a finding',
  'create-net-host-hostname': 'engines 1.9 to 1.12 alone refused it; a finding',
  'images-list-dangling-map': '20.10 takes the map form at every prefix; a finding',
  'list-filter-label-map': 'as above',
  'start-hc-badjson': '20.10 does not read a body of up to 7 bytes at any prefix; a finding',
  'start-hc-text': 'as above',
  'started-bind-rel': 'no request of its own: its container was refused at create',
  'started-named-vol': 'as above',
  'create-lxcconf': 'valid at these versions, with the lxc driver; what LxcConf asks for is rules 1.22’s',
  'create-lxcconf-map': 'as above',
  'start-new': 'the network called default did not exist yet',
  'start-pub': 'its container was refused at create',
  'exec-env': 'its container does not run',
  'image-delete-inuse-running-force': 'whether a container runs from the image',
  'start-net': 'networks did not exist yet',
  'started-mac-bad': 'a start without a body: the engine has the address, and 20.10 had no bridge to use it on',
  'start-big': 'the recorder’s host has no weight of block devices',
  'network-connect-stopped': 'whether the container runs',
}

const requestOf = (request: RecordedRequest, engine: string) => {
  const query = request.path.indexOf('?')
  return {
    operation: request.operation,
    version: engine.replace(/.* at /, ''),
    query: query === -1 ? '' : request.path.slice(query),
    headers: request.headers,
    body: request.body,
  }
}

describe('requests that engines accepted, each at its own version', () => {
  const accepted = acceptedRequests()

  it('are many and of every area', () => {
    expect(accepted.length).toBeGreaterThan(250)
    expect(new Set(accepted.map(({ operation }) => operation)).size).toBeGreaterThan(30)
  })

  for (const request of accepted) {
    it(`${request.name} is not refused where ${request.engines.length} engines took it`, () => {
      const refused = request.engines.map((engine) => [engine, look('warn', requestOf(request, engine)).refused])
      expect(refused.filter(([, refusal]) => refusal !== undefined)).toEqual([])
    })
  }
})

describe('requests that engines refused, each at its own version', () => {
  const refused = refusedRequests()
  const left = new Set<string>()

  for (const { answers, ...request } of refused) {
    for (const { engine, status, text, beside } of answers) {
      it(`${request.name} by ${engine}: its own answer, or the engine behind refuses it too`, () => {
        const found = look('warn', requestOf(request, engine)).refused
        if (found !== undefined) {
          expect(found).toEqual({ status, text })
          return
        }
        if (beside !== null && beside >= 400) return // 20.10 refuses it: its error is translated
        left.add(request.name)
        expect(Object.keys(ELSEWHERE)).toContain(request.name)
      })
    }
  }

  it('has no entry among those left to others that is not needed', () => {
    expect(Object.keys(ELSEWHERE).filter((name) => !left.has(name))).toEqual([])
  })

  it('answers for at least one recorded request of each rule that refuses', () => {
    const own = refused.flatMap(({ answers, ...request }) =>
      answers.flatMap(({ engine }) =>
        look('warn', requestOf(request, engine)).refused === undefined ? [] : [request.name],
      ),
    )
    expect([...new Set(own)]).toEqual(['start-hc-noct'])
  })
})
