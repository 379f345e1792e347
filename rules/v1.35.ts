import { type JsonObject, type JsonValue, stringOf } from '../src/api/json/json.ts'
import { ExecConfig, Version } from '../src/api/shapes/shapes.ts'
import { TaskContainerSpec } from '../src/api/shapes/swarm-shapes.ts'
import { words } from '../src/config/text.ts'
import { added, type Changes, queryAdded } from '../src/translate/ops.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'

/** In the order of the engine's map, which Go writes sorted (daemon/info.go:fillVersion @v18.01). */
const DETAILS = words(`
  ApiVersion Arch BuildTime Experimental GitCommit GoVersion KernelVersion MinAPIVersion Os
`)

/** The engine itself as its only component; every detail is text. */
function engineComponent(version: JsonObject): JsonValue {
  const details = DETAILS.map((name) => [
    name,
    name === 'Experimental' ? String(version[name] === true) : stringOf(version[name]),
  ])
  return [{ Name: 'Engine', Version: stringOf(version['Version']), Details: Object.fromEntries(details) }]
}

const VERSION = { Version: '1.12.6', Os: 'linux', Experimental: true }
const Details = { ...Object.fromEntries(DETAILS.map((name) => [name, ''])), Experimental: 'true', Os: 'linux' }

export default {
  '1.35/logs-until': {
    summary: 'Logs can end at a given time.',
    ops: queryAdded('ContainerLogs', 'until', { sample: '5', onLoss: 'refuse', neutral: ['0'] }),
  },
  '1.35/exec-workingdir': {
    summary: 'An exec can have its own working directory.',
    ops: added(ExecConfig, 'WorkingDir', { sample: '/tmp', onLoss: 'refuse' }),
  },
  '1.35/version-components': {
    summary: 'The version lists the components of the engine and its platform.',
    see: 'docs/api/version-history.md v1.35; daemon/info.go @v18.01',
    ops: [
      added(Version, 'Platform', { sample: { Name: '' }, up: { Name: '' } }),
      added(Version, 'Components', {
        sample: [{ Name: 'Engine' }],
        up: engineComponent,
        upSamples: [[VERSION, [{ Name: 'Engine', Version: '1.12.6', Details }]]],
      }),
    ],
  },
  '1.35/swarm-members': swarmMembers({
    summary: 'Services can set the isolation of their containers on Windows.',
    members: [{ of: TaskContainerSpec, samples: { Isolation: 'hyperv' }, neutral: 'default' }],
  }),
} satisfies Changes
