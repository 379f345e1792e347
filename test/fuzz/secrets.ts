import { Buffer } from 'node:buffer'
import { asJson, isObject, writeJson } from '../../src/api/json/json.ts'
import { redactChanges } from '../../src/audit/redact/changes.ts'
import { type Redacting, redactJson, usual } from '../../src/audit/redact/json.ts'
import { redactSearch } from '../../src/audit/redact/query.ts'
import { scrub } from '../../src/audit/redact/text.ts'
import { CompiledRules } from '../../src/policy/file/ruleset.ts'
import { cleanHeaders } from '../../src/tools/inspect/shown/message.ts'
import type { Target } from './loop.ts'

/** Stands where no input has it. */
const MARK = 'Planted7F3a9c'

const how = (operation: string | undefined): Redacting => ({ operation, secrets: new Set(), redaction: usual })

function hides(text: string, where: string): void {
  if (text.includes(MARK)) throw new Error(`a secret is left in ${where}: ${JSON.stringify(text)}`)
}

/** A query, a line feed, and a text that is changes, JSON or anything. */
export const redaction: Target = {
  name: 'redaction',
  stretched: true,
  seeds: [
    'changes=ENV A=b&remote=https://u:p@h/x\nLABEL password="a b" c=d',
    'filters={"label":["password=x"]}&rotateWorkerToken=y\n{"Env":["A=b"],"Labels":{"token":"x"}}',
    'token=abcd&t=a:b@sha256:00\n#(nop) ENV A=b RUN |1 A=b /bin/sh --password x Bearer abcdefgh //u:p@h/s',
    'buildargs={"A":"b"}\n-----BEGIN PRIVATE KEY-----\nSWMTKN-1-x\nONBUILD ARG A=b \\\n C=d',
  ],
  run: (input) => {
    const whole = input.toString().replaceAll(MARK, '')
    const line = whole.indexOf('\n')
    const [query, text] = [whole.slice(0, Math.max(0, line)), whole.slice(line + 1)]
    for (const operation of ['ImageCommit', 'ContainerCreate', undefined]) {
      hides(redactSearch(`?password=${MARK}&${query}`, how(operation)), 'a query')
      hides(writeJson(redactJson({ a: asJson(text) ?? text, Env: [`A=${MARK}`] }, how(operation))), 'a body')
    }
    hides(scrub(`${text} ${MARK}`, [MARK, text]), 'a text that quotes it')
    // a line that goes on makes another thing of the next one
    if (!/[\\`]/.test(text)) hides(redactChanges(`${text}\nENV A=${MARK}`, how('ImageCommit')), 'changes')
    const values = text.split('\n').flatMap((value, i) => [`X-${i}`, value])
    hides(JSON.stringify(cleanHeaders([...values, 'Authorization', MARK], new Set([query]))), 'headers')
  },
}

const STRICT = new CompiledRules({ allow: ['*'], bodies: { base: 'strict', images: ['registry.example/*'] } })
const READS = new CompiledRules({ preset: 'read-only', paths: { GET: ['/v1\\..*/containers/.*'] } })

/** Method and path, a line feed, and a body. */
export const policy: Target = {
  name: 'policy',
  stretched: true,
  seeds: [
    'POST /v1.44/containers/create?name=a\n{"Image":"registry.example/a","HostConfig":{"Binds":["a:/b:ro"]}}',
    'POST /v1.44/build?t=a&outputs=[]&dockerfile=..\n{}',
    'POST /volumes/create\n{"Driver":"local","DriverOpts":{"type":"none","o":"bind","device":"/etc"}}',
    'GET /v1.44/containers/a/archive?path=/etc\n',
  ],
  run: (input) => {
    const text = input.toString()
    const line = text.indexOf('\n')
    const [method = '', path = '/'] = text.slice(0, Math.max(0, line)).split(' ', 2)
    const body = Buffer.from(text.slice(line + 1))
    const said = { method, path, contentType: 'application/json', body }
    for (const rules of [STRICT, READS]) rules.judge(said)
    if (READS.judge({ ...said, method: 'DELETE', path: '/v1.44/containers/a' }).allowed) throw new Error('it deletes')
    const asked = asJson(body.toString())
    if (!isObject(asked)) return
    const privileged = Buffer.from(writeJson({ ...asked, HostConfig: { Privileged: true } }))
    const create = { ...said, method: 'POST', path: '/v1.44/containers/create', body: privileged }
    if (STRICT.judge(create).allowed) throw new Error('a privileged container is allowed')
  },
}
