import { z } from 'zod'
import { KINDS, type Kind, SCHEMA, STAGES } from './terms.ts'

const count = z.int().min(0)
const milliseconds = z.number().min(0)
const version = z.string().regex(/^\d+\.\d+$/)
const change = z.string().min(1)

const named = (kind: Kind) => z.string().optional().describe(`the ${kind} that the path or the query names`)
const names = Object.fromEntries(Object.values(KINDS).map((kind) => [kind, named(kind)])) as Record<
  Kind,
  ReturnType<typeof named>
>

const peer = z.strictObject({
  address: z.string().optional().describe('of a TCP client'),
  port: z.int().optional().describe('of a TCP client'),
  certificate: z
    .strictObject({
      subject: z.string().describe('its name: CN=alice, O=example'),
      issuer: z.string().describe('who signed it'),
      fingerprint: z.string().describe('SHA-256, as OpenSSL writes it'),
      serial: z.string().describe('hexadecimal'),
      verified: z.boolean().describe('whether an authority that the listener trusts has signed it'),
    })
    .optional()
    .describe('what the client showed on a TLS listener'),
})

/** A redacted body. */
const body = z.strictObject({
  bytes: count.describe('of the whole'),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('of the whole; of the redacted text where `redacted` is set'),
  redacted: z.literal(true).optional().describe('secrets were taken out'),
  cut: z.literal(true).optional().describe('larger than --audit-body-limit: `text` is its beginning'),
  withheld: z
    .enum(['stream', 'not-json', 'too-large', 'incomplete'])
    .optional()
    .describe('why there is neither `json` nor `text`'),
  json: z.json().optional().describe('the body, where it is JSON'),
  text: z.string().optional().describe('the body, or its beginning'),
})
export type BodyRecord = z.output<typeof body>

const target = z.strictObject({
  method: z.string().describe('of the request'),
  path: z.string().describe('prefix and query included, without secrets'),
})

const loss = z.strictObject({
  what: z.string().describe('the member, parameter or endpoint'),
  change: z.string().describe('that knows'),
  needs: version.describe('the version that has it'),
  outcome: z.enum(['warned', 'ignored']).describe('whether the client was told'),
})

/** Added with --audit-chain. */
const chain = z
  .strictObject({
    seq: z.int().min(1).describe('number of the line'),
    prev: z.string().describe('hash of the line before'),
    hash: z.string().optional().describe('SHA-256 of the line up to here'),
    hmac: z.string().optional().describe('the same with --audit-chain-key'),
  })
  .optional()

/** One event of a call. docs/audit-record.schema.json is generated from this. */
export const auditRecord = z.strictObject({
  schema: z.literal(SCHEMA).describe('version of this table'),
  time: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    .describe('RFC 3339, UTC, microseconds: when the event happened'),
  auditId: z.uuid().describe('the same in all records of a call'),
  stage: z.enum(STAGES).describe('see above'),
  level: z.enum(['metadata', 'request', 'requestResponse']).describe('how much is recorded of the call'),
  rule: z.string().optional().describe('of --audit-policy, that chose the level'),
  listener: z.string().describe('address of the listener'),
  peer,
  userAgent: z.string().optional().describe('as the client sent it, without secrets and control characters'),
  traceparent: z
    .string()
    .optional()
    .describe('W3C Trace Context: version, trace, parent and flags, as the client sent them'),
  method: z.string().describe('as the client sent it; empty for a malformed request'),
  path: z.string().describe('as the client sent it, decoded, without prefix and query; empty for a malformed request'),
  prefix: z.string().optional().describe('the version in the path, as it was spelled'),
  query: z.string().optional().describe('as the client sent it, without secrets'),
  operation: z.string().optional().describe('name of the endpoint; absent for an unknown path'),
  ...names,
  knownClient: z
    .strictObject({
      name: z.string().describe('name of the program, by its User-Agent'),
      told: version.describe('the highest version that it is told'),
    })
    .optional()
    .describe('a program that is told another version than the engine has: --known-clients'),
  clientVersion: version.optional().describe('API version of the client'),
  targetVersion: version.optional().describe('API version used with the engine'),
  lane: z.enum(['pass', 'body', 'records', 'tunnel']).optional().describe('how the call was forwarded'),
  policy: z
    .strictObject({
      decision: z.enum(['allowed', 'denied', 'observed']).describe('observed: it would have been denied'),
      rule: z.string().optional().describe('that decided'),
      reason: z.string().optional().describe('in words'),
    })
    .optional()
    .describe('what the access policy said'),
  forwarded: target.optional().describe('what went to the engine; absent when nothing did'),
  furtherCalls: z
    .array(target.extend({ requestBody: body.optional().describe('from level request on') }))
    .optional()
    .describe('what the bridge itself asked the engine for this call; of reads the first 100'),
  changes: z.array(change).optional().describe("ids of the changes in the call's plan"),
  applied: z
    .strictObject({
      request: z.array(change).optional().describe('that changed the request'),
      response: z.array(change).optional().describe('that changed the response: level requestResponse'),
    })
    .optional()
    .describe('changes that did something; not known of bodies above 64 KiB'),
  status: z.int().min(100).max(999).optional().describe('what the client got'),
  bytesIn: count.optional().describe('of the body, or through the tunnel, from the client'),
  bytesOut: count.optional().describe('of the body, or through the tunnel, to the client'),
  duration: z
    .strictObject({
      total: milliseconds.describe('from the request line to the end on both sides, or until now'),
      engine: milliseconds.describe(
        'from handing a request over until the head of its answer, or its end where the client gets nothing before',
      ),
      bridge: milliseconds.describe('until the head went to the client, without the engine'),
    })
    .optional()
    .describe('milliseconds'),
  endedBy: z.enum(['client', 'engine', 'bridge']).optional().describe('who left or closed first'),
  losses: z.array(loss).optional().describe('values that the engine could not express'),
  ignored: z.array(z.string()).optional().describe("members that an engine of the client's version would ignore"),
  notes: z.array(z.string()).optional().describe('what the bridge did with the request besides translating it'),
  findings: z
    .array(z.strictObject({ field: z.string().describe('where'), rule: z.string().describe('what it has to be') }))
    .optional()
    .describe("what is not valid at the client's version"),
  requestBody: body.optional().describe('as it was forwarded: from level request on'),
  responseBody: body.optional().describe('as the client got it: level requestResponse'),
  chain,
  session: z.string().optional().describe('the file that has the recorded session'),
  error: z
    .strictObject({
      code: z.string().describe('as in the header Enginebridge-Error'),
      message: z.string().describe('as the client got it, without secrets'),
    })
    .optional()
    .describe("the bridge's own refusal"),
})

/** A record about the log itself. */
export const auditNote = z.looseObject({
  time: auditRecord.shape.time,
  stage: z.enum(['dropped', 'recovered']).describe('records that could not be written; a torn line that was found'),
  chain,
})

export type AuditRecord = Readonly<z.output<typeof auditRecord>>
