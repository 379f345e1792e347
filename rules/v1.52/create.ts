import { ProxyError } from '../../src/api/errors.ts'
import { memberAt } from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import { CreateResponse, HostConfig } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { byHand, onEach, retyped } from '../../src/translate/ops.ts'

const OF_LINKS = /^Links on the default bridge network are deprecated/
/** As Go's net.ParseMAC reads them: 6, 8 or 20 bytes. */
const MAC = [
  /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}(?:(?::[0-9a-f]{2}){2}|(?::[0-9a-f]{2}){14})?$/i,
  /^[0-9a-f]{2}(?:-[0-9a-f]{2}){5}(?:(?:-[0-9a-f]{2}){2}|(?:-[0-9a-f]{2}){14})?$/i,
  /^[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}(?:\.[0-9a-f]{4}|(?:\.[0-9a-f]{4}){7})?$/i,
]

export const createAnswers = {
  id: '1.52/create-answers',
  gate: 'release',
  summary:
    'A container without port bindings shows {}; a link on the default bridge gets a warning; a malformed MAC address is ignored.',
  see: 'recordings `28.5` and `29`, inspect-nohc; daemon/create.go @docker-v29.0.0; seen on 28.5 and 29.8',
  ops: [
    retyped(onSide(HostConfig, 'response'), 'PortBindings', {
      words: 'HostConfig.PortBindings is null if there are none',
      toOlder: [[{}, null]],
      toNewer: [[null, {}]],
    }),
    onEach(CreateResponse, 'the warning of links is removed', {
      responseDown: (answer) => {
        if (Array.isArray(answer['Warnings']))
          answer['Warnings'] = answer['Warnings'].filter((warning) => !OF_LINKS.test(String(warning)))
      },
    }),
    byHand('ContainerCreate', 'a malformed MAC address is refused, as engines up to 28.5 did', {
      requestUp: ({ body }) => {
        const mac = memberAt(body, 'MacAddress')
        if (typeof mac === 'string' && mac !== '' && !MAC.some((form) => form.test(mac)))
          throw new ProxyError('validation', `invalid MAC address ${mac}`)
      },
    }),
  ],
  examples: {
    'ContainerInspect responseDown body.HostConfig.PortBindings': [[{ '80/tcp': [{ HostPort: '8080' }] }]],
    'ContainerCreate responseDown body': [
      [
        { Id: 'c', Warnings: ['Links on the default bridge network are deprecated and …', 'other'] },
        { Id: 'c', Warnings: ['other'] },
      ],
    ],
    'ContainerCreate requestUp body': [
      [{ Image: 'i', MacAddress: 'zz:zz' }, /^invalid MAC address zz:zz$/],
      [{ Image: 'i', MacAddress: '02-42-AC:11:00:02' }, /^invalid MAC address 02-42-AC:11:00:02$/],
      [{ Image: 'i', MacAddress: '02-42-AC-11-00-02' }],
    ],
  },
} satisfies Change
