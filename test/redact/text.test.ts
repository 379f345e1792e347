import { describe, expect, it } from 'vitest'
import { REDACTED, scrub } from '../../src/audit/redact/text.ts'

/** The least text that each pattern finds: it is looked for at all only where a part that it needs is there. */
const LEAST = [
  ['a private key', '-----BEGIN PRIVATE KEY-----hunter2', REDACTED],
  ['a key that ends', '-----BEGIN EC PRIVATE KEY-----\nhunter2\n-----END EC PRIVATE KEY-----', REDACTED],
  ['the token of a swarm', 'SWMTKN-1-hunter2', `SWMTKN-1-${REDACTED}`],
  ['the key of a swarm', 'SWMKEY-1-hunter2', `SWMKEY-1-${REDACTED}`],
  ['a bearer in small letters', '-H authorization: bearer hunter2', `-H authorization: ${REDACTED} ${REDACTED}`],
  ['another scheme', 'curl -H "Authorization: token hunter2"', `curl -H "Authorization: ${REDACTED} ${REDACTED}"`],
  ['a bearer', 'Bearer hunter2', `Bearer ${REDACTED}`],
  ['basic authentication', 'Basic aHVudGVyMg==', `Basic ${REDACTED}`],
  ['the user of a URL', 'HTTPS://me:hunter2@host', `HTTPS://${REDACTED}@host`],
  ['a signed URL', '?X-Amz-Signature=hunter2', `?X-Amz-Signature=${REDACTED}`],
  ['ENV of an image', 'ENV NAME=hunter2', `ENV NAME=${REDACTED}`],
  ['arg of a step, in small letters', 'step 3/4 : arg NAME hunter2', `step 3/4 : arg NAME ${REDACTED}`],
  ['arguments of a RUN', '|1 NAME=hunter2 /bin/sh -c true', `|1 ${REDACTED} /bin/sh -c true`],
  ['a name with =', 'PassWord=hunter2', `PassWord=${REDACTED}`],
  ['a name with :', '"api_key": "hunter2"', `"api_key": "${REDACTED}"`],
  ['a word with escaped spaces', 'PASSWORD=my\\ \\&hunter2 -v', `PASSWORD=${REDACTED} -v`],
  ['an option', '--db-token hunter2', `--db-token ${REDACTED}`],
  ['the password of a user', 'curl -u me:hunter2 x', `curl -u me:${REDACTED} x`],
  ['the password of a user in quotes', `curl --proxy-user "me:my hunter2" x`, `curl --proxy-user "me:${REDACTED}" x`],
  ['the password of a user with escaped spaces', 'curl\t-sSu me:my\\ hunter2 x', `curl\t-sSu me:${REDACTED} x`],
  ['the password of a user behind =', 'curl "x?a&b" \\\n--user=me:a,hunter2', `curl "x?a&b" \\\n--user=me:${REDACTED}`],
] as const

describe('scrub', () => {
  it.each(LEAST)('takes out %s where nothing else stands in the text', (_what, text, clean) => {
    expect(scrub(text)).toBe(clean)
  })

  it.each([
    'exec -u me:www-data web',
    'date -u +%H:%M',
    'curl -XPUT https://host:80/x',
    'curl -u http://host:80/x',
    'a line\\nPASSWORDS are none',
  ])('leaves %s as it is', (text) => {
    expect(scrub(text)).toBe(text)
  })

  // What an image says of ENV and of a RUN's arguments begins its text.
  const anywhere = LEAST.filter(([, text]) => !/^(?:ENV|\|1)/.test(text))

  it.each(anywhere)('takes out %s in the middle of a line', (_what, text) => {
    expect(scrub(`a line of log, ${text} and more`)).not.toMatch(/hunter2|aHVudGVyMg/)
  })
})
