// Runs in a container, in the place of a client: the calls as they stand in CALLS, a line of JSON for each answer.
const http = require('node:http')

const { host, speaks, agent, container, calls } = JSON.parse(process.env.CALLS)
const unix = /^unix:\/\/(.*)$/.exec(host)?.[1]
const { hostname, port } = new URL(unix === undefined ? host.replace('tcp:', 'http:') : 'http://docker')
const minor = (version) => Number(version.split('.')[1])
let api = speaks
let id = ''

const answer = ({ method, path, json }) =>
  new Promise((resolve, reject) => {
    const filled = path.replace('{api}', api).replace('{id}', id).replace('{container}', container)
    const body = json === undefined ? undefined : JSON.stringify(json)
    const headers = {
      ...(agent === undefined ? {} : { 'User-Agent': agent }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
    }
    const to = unix === undefined ? { hostname, port } : { socketPath: unix }
    const request = http.request({ ...to, method, path: filled, headers, timeout: 20_000 }, (response) => {
      const parts = []
      response.on('data', (part) => parts.push(part)).on('error', reject)
      response.on('end', () => resolve({ path: filled, response, text: Buffer.concat(parts).toString('latin1') }))
    })
    request.on('timeout', () => request.destroy(new Error(`${filled}: no answer`))).on('error', reject)
    request.end(body)
  })

;(async () => {
  for (const call of calls) {
    const { path, response, text } = await answer(call)
    const said = response.headers['api-version']
    // As moby's client negotiates: the engine's version, where its own is newer.
    if (call.method === 'HEAD' && minor(said) < minor(api)) api = said
    if (text.startsWith('{"Id"')) id = JSON.parse(text).Id
    const found = call.has === undefined || `${JSON.stringify(response.headers)}${text}`.includes(call.has)
    process.stdout.write(`${JSON.stringify({ path, status: response.statusCode, found, said: text.slice(0, 300) })}\n`)
  }
})()
