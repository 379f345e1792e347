import { type Hostile, hostileSuite, pooled } from '../support/hostile.ts'

const ask = (
  name: string,
  target: string,
  engine: readonly string[],
  statuses: readonly number[] = [200],
  more: Partial<Hostile> = {},
): Hostile => ({ name, send: `GET ${target} HTTP/1.1\r\nHost: d\r\n\r\n`, statuses, engine, ...more })

/** Forwarded to a known operation. */
const goes = (name: string, target: string, wire: string): Hostile => ask(name, target, [pooled(`GET ${wire}`)])
/** To an endpoint that no table knows. */
const unknown = (name: string, target: string, wire: string): Hostile => ask(name, target, [pooled(`GET ${wire}`)])
const moved = (name: string, target: string, location: string): Hostile =>
  ask(name, target, [], [301], {
    client: new RegExp(`301 Moved Permanently\r\n(?:[^]*\r\n)?Location: ${location.replace(/[.?*]/g, '\\$&')}\r\n`),
  })
const refused = (name: string, target: string, status = 400, client?: RegExp): Hostile =>
  ask(name, target, [], [status], client === undefined ? {} : { client })

hostileSuite('paths', [
  moved('dot segments', '/v1.44/containers/../info', '/v1.44/info'),
  moved('dot segments at the end', '/v1.44/containers/x/..', '/v1.44/containers'),
  moved('dot segments above the root', '/../../v1.44/info', '/v1.44/info'),
  moved('dot segments over the version', '/v1.18/../v1.44/info', '/v1.44/info'),
  moved('escaped dot segments', '/v1.44/containers/%2e%2e/info', '/v1.44/info'),
  moved('dot segments escaped by half, in capitals', '/v1.44/containers/.%2E/info', '/v1.44/info'),
  moved('a dot segment behind an escaped slash', '/v1.44/containers%2f..%2finfo', '/v1.44/info'),
  moved('two slashes', '//v1.44/info', '/v1.44/info'),
  moved('two slashes that would name a host', '//evil.example/v1.44/info', '/evil.example/v1.44/info'),
  moved('two slashes, one escaped', '/v1.44/%2finfo', '/v1.44/info'),
  moved('a redirect keeps its query as it was', '/v1.44//info?a=%0d%0aX:y', '/v1.44/info?a=%0d%0aX:y'),
  goes('an escaped slash', '/v1.44/containers%2fjson', '/v1.44/containers/json'),
  goes('an escaped version', '/%761.44/info', '/v1.44/info'),
  goes('an escaped question mark', '/v1.44/containers/a%3fb/json', '/v1.44/containers/a%3Fb/json'),
  goes('an escaped number sign', '/v1.44/containers/a%23b/json', '/v1.44/containers/a%23b/json'),
  goes('an escaped space', '/v1.44/containers/a%20b/json', '/v1.44/containers/a%20b/json'),
  goes('an escaped null byte', '/v1.44/containers/a%00b/json', '/v1.44/containers/a%00b/json'),
  goes('an escaped line break', '/v1.44/containers/a%0d%0aX:y/json', '/v1.44/containers/a%0D%0AX:y/json'),
  unknown(
    'a request line in a name',
    '/v1.44/containers/a%20HTTP%2f1.1%0d%0a%0d%0a/json',
    '/v1.44/containers/a%20HTTP/1.1%0D%0A%0D%0A/json',
  ),
  goes('escaped twice', '/v1.44/containers/%252e%252e%252fx/json', '/v1.44/containers/%252e%252e%252fx/json'),
  goes('a backslash', '/v1.44/containers/a\\b/json', '/v1.44/containers/a%5Cb/json'),
  goes('an escaped backslash', '/v1.44/containers/..%5c..%5cinfo/json', '/v1.44/containers/..%5C..%5Cinfo/json'),
  goes('letters beyond ASCII', '/v1.44/containers/%c3%a9/json', '/v1.44/containers/%C3%A9/json'),
  goes(
    'raw letters beyond ASCII',
    '/v1.44/containers/\xc3\xa9/json?a=\xc3\xa9',
    '/v1.44/containers/%C3%A9/json?a=%C3%A9',
  ),
  goes('a name like an object’s own', '/v1.44/containers/__proto__/json', '/v1.44/containers/__proto__/json'),
  goes('a query with a second address', '/v1.44/info?http://x/v1.18/info', '/v1.44/info?http://x/v1.18/info'),
  goes('a number sign in the query', '/v1.44/containers/json?all=1#x', '/v1.44/containers/json?all=1#x'),
  goes('absolute-form', 'http://evil.example/v1.44/info', '/v1.44/info'),
  goes('absolute-form with a user', 'http://u:p@evil.example:9/v1.44/info', '/v1.44/info'),
  goes('absolute-form without a host', 'http:/v1.44/info', '/v1.44/info'),
  moved('absolute-form without a host, with dot segments', 'http:/containers/../v1.44/info', '/v1.44/info'),
  goes('another scheme', 'https://evil.example/v1.44/info', '/v1.44/info'),
  unknown('absolute-form without a path', 'http://evil.example', '/v1.51/'),
  unknown('a second version', '/v1.44/v1.18/info', '/v1.44/v1.18/info'),
  unknown('a second version, escaped', '/v1.44/%76%31.18/info', '/v1.44/v1.18/info'),
  unknown('a version that is none', '/vfoo/info', '/v1.51/vfoo/info'),
  unknown('another spelling of an endpoint', '/v1.44/Info', '/v1.44/Info'),
  unknown('a slash at the end', '/v1.44/info/', '/v1.44/info/'),
  unknown('a fragment', '/v1.44/containers/json#x', '/v1.44/containers/json%23x'),
  goes('an address within a path', '/v1.44/images/http:/x/get', '/v1.44/images/http:/x/get'),
  unknown('a semicolon', '/v1.44/info;x=1', '/v1.44/info;x=1'),
  refused('a bare asterisk', '*'),
  refused('an asterisk with a path', '*/v1.44/info'),
  refused('authority-form', 'evil.example:80'),
  refused('a relative path', 'v1.44/info'),
  refused('a space', '/v1.44/containers/a b/json'),
  refused('a tab', '/v1.44/containers/a\tb/json'),
  refused('raw bytes that are no UTF-8', '/v1.44/containers/\xc0\xaf/json'),
  refused('an escape that is none', '/v1.44/containers/%zz/json', 400, /application\/json[\s\S]*invalid URL escape/),
  refused('an escape cut short', '/v1.44/containers/a%2'),
  refused(
    'bytes that are no UTF-8, to an old client',
    '/v1.18/containers/%ff/json',
    400,
    /text\/plain[\s\S]*\r\n\r\ninvalid/,
  ),
  refused('an overlong slash', '/v1.44/containers/%c0%af/json'),
  refused('half a surrogate pair', '/v1.44/containers/%ed%a0%80/json'),
  refused('a version below all', '/v0.1/info'),
  refused('a version above all', '/v1.999/info'),
  refused('a version beyond all numbers', `/v1.${'9'.repeat(400)}/info`),
  refused('a version of dots', '/v.../info'),
  goes('a version with zeros', '/v01.044/info', '/v1.44/info'),
  goes('a version with a patch', '/v1.44.0/info', '/v1.44/info'),
  { name: 'OPTIONS of everything', send: 'OPTIONS * HTTP/1.1\r\nHost: d\r\n\r\n', statuses: [200], engine: [] },
  ask('a path of 100,000 segments', `/v1.44${'/a'.repeat(100_000)}`, [pooled(`GET /v1.44${'/a'.repeat(100_000)}`)]),
  moved('a path of 100,000 dots', `/v1.44${'/.'.repeat(100_000)}/info`, '/v1.44/info'),
  refused('a path of 2 MiB', `/v1.44/${'a'.repeat(2 << 20)}`, 431),
])
