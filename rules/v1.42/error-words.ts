import { byHand, type Change, errorTexts } from '../../src/translate/ops.ts'
import { READS_JSON } from './json-errors.ts'

/** The name as completed by the engine. */
const completed = (repository: string): string => (repository.includes('/') ? repository : `library/${repository}`)

const FILTERED =
  'ContainerList ContainerPrune ImageList ImagePrune NetworkList NetworkPrune VolumeList VolumePrune PluginList ' +
  'NodeList ServiceList TaskList SecretList ConfigList'

const texts = errorTexts(
  `
  ${FILTERED}
    400 invalid filter '{rest}
      400 Invalid filter '{rest}
  ImageSearch
    400 invalid filter '{filter}'
    400 invalid filter '{filter}': strconv.{rest}
      400 Invalid filter '{filter}'
  ContainerCreate
    400 no command specified
      400 No command specified
    400 invalid signal: {signal}
      400 Invalid signal: {signal}
    400 unknown or invalid runtime name: {runtime}
      400 Unknown runtime specified {runtime}
    400 config cannot be empty in order to create a container
      400 Config cannot be empty in order to create a container
    400 {options=BindOptions|VolumeOptions} must not be specified on mount type "{type}"
      400 invalid mount config for type "{type}": field {options} must not be specified
  ContainerTop ContainerExec ContainerPause ContainerResize
    409 container {id} is not running
      409 Container {id} is not running
  ExecStart ExecResize
    409 container {id} is not running
      up 500 Container {id} is not running: {state}
  ContainerKill
    409 Cannot kill container: {given}: container {word} is not running
      409 Cannot kill container: {given}: Container {word} is not running
    400 Cannot kill container: {name}: invalid signal: {signal}
      400 Invalid signal: {signal}
  ${READS_JSON.join(' ')}
    400 malformed Content-Type header (): mime: no media type
      400 Content-Type specified () must be 'application/json'
    400 unsupported Content-Type header ({type}): must be 'application/json'
      400 Content-Type specified ({type}) must be 'application/json'
  ImageBuild
    # Newer engines suggest the nearest name: buildkit util/suggest @v0.9.0.
    400 dockerfile parse error on line {n}: unknown instruction: {word} (did you mean {other}?)
    400 dockerfile parse error on line {n}: unknown instruction: {word}
      down 400 dockerfile parse error line {n}: unknown instruction: {capitals}
    400 dockerfile parse error on line {n}: {flag=unknown flag: |duplicate flag specified: |missing a value on flag: }{given} (did you mean {other}?)
      down 400 dockerfile parse error line {n}: {Flag}{given}
    400 dockerfile parse error on line {n}: {flag=unknown flag: |duplicate flag specified: |missing a value on flag: }{given}
      400 dockerfile parse error {on=|on }line {n}: {Flag=Unknown flag: |Duplicate flag specified: |Missing a value on flag: }{given}
    400 dockerfile parse error on line {n}: expecting boolean value for flag {given}
      400 dockerfile parse error {on=|on }line {n}: Expecting boolean value for flag {given}
    400 dockerfile parse error on line {n}: {rest}
      400 dockerfile parse error line {n}: {rest}
  ImageTag
    400 invalid reference format: repository name ({repository}) must be lowercase
      up 500 invalid reference format: repository name must be lowercase
    400 invalid {what=reference|tag} format{rest}
      down 500
  DistributionInspect
    400 invalid reference format: repository name ({named}) must be lowercase
      up 400 invalid reference format: repository name must be lowercase
  ImageInspect
    404 No such image: {image}
      404 no such image: {name}: No such image: {image}
    400 invalid reference format: repository name ({named}) must be lowercase
      up 400 no such image: {name}: invalid reference format: repository name must be lowercase
      up 400 invalid reference format: repository name must be lowercase
    400 invalid reference format{more}
      400 no such image: {name}: invalid reference format{more}
  NetworkCreate
    400 invalid network config:\\ninvalid subnet {subnet}: invalid CIDR block notation
      up 500 Invalid subnet {subnet} : invalid CIDR address: {subnet}
    400 invalid network config:\\ninvalid ip-range {range}: invalid CIDR block notation
      up 500 failed to parse pool request for address space "{space}" pool "{pool}" subpool "{range}": Invalid Address SubPool
    400 invalid network config:\\ninvalid gateway {gateway}: invalid address
      500 invalid gateway address {gateway} in Ipam configuration
    400 invalid network config:\\ninvalid auxiliary address {key}: invalid address
      up 500 non parsable secondary ip address ({key}:{address}) passed for network {network}
  ContainerPrune NetworkPrune
    400 failed to parse value as time or duration: {rest}
      500 failed to parse value as time or duration: {rest}
    400 more than one until filter specified
      500 more than one until filter specified
  ContainerCopy
    404 page not found
      up 404 {}
`,
  {
    holes: {
      repository: ({ query }) => completed(query.get('repo') ?? ''),
      named: ({ name }) => completed(name),
      capitals: ({ found }) => found['word']?.toUpperCase(),
      flag: ({ found }) => found['Flag']?.toLowerCase(),
      Flag: ({ found: { flag = '' } }) => flag.charAt(0).toUpperCase() + flag.slice(1),
    },
    samples: [
      {
        query: 'repo=Bad',
        values: {
          ...{ repository: 'library/Bad', named: 'library/web' },
          ...{ word: 'runn', capitals: 'RUNN', Flag: 'Unknown flag: ' },
        },
      },
    ],
  },
)

export const errorWords = {
  summary: 'Many errors begin with a lower-case letter, name their subject, or are 400 instead of 500.',
  see: 'seen on 20.10 and 26.1, call by call',
  ops: [
    texts,
    byHand('ExecStart', 'a start without a body gets an empty object', {
      requestDown: (message) => {
        if (message.body !== undefined || message.text !== undefined) return
        message.body = {}
        message.headers.set('Content-Type', 'application/json')
      },
    }),
  ],
  examples: {
    'ExecStart requestDown': [[{}, { body: {}, headers: { 'Content-Type': 'application/json' } }]],
    'ExecStart requestDown body.Tty': [[true]],
  },
} satisfies Change
