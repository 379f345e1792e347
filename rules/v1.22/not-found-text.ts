import { operationNames } from '../../src/api/operations.ts'
import type { StepContext } from '../../src/translate/message.ts'
import type { Reworded } from '../by-hand/reworded.ts'

const NO_CONTAINER = /\bno such container:? (\S+)/i
const NO_IMAGE = /\bno such (image|id)\b|^digest not found/i

const OTHERS = /^(ContainerKill|ContainerCreate|Image(Inspect|History|Tag|Get|Delete)|Network.*|Volume.*)$/
/** Operations whose container or exec can be missing; those with words of their own have a row below. */
const LOOKS_UP = operationNames.filter(
  (name) => /^((Put)?Container|Exec|Image)/.test(name) && !OTHERS.test(name) && name !== 'ContainerWait',
)

const nameOf = ({ call }: StepContext): string => call.params['name'] ?? ''
const noId = (text: string): string => text.replaceAll(new RegExp(NO_CONTAINER, 'gi'), 'no such id: $1')
const plainImage = (_text: string, context: StepContext): string => `No such image: ${nameOf(context)}`
const imageId = (_text: string, context: StepContext): string => `could not find image: no such id: ${nameOf(context)}`

type Was = (text: string, context: StepContext) => string

/** An error of engines from 1.10 on with `status`, its older text, and a sample of both for an object named x. */
const missing = (
  on: Reworded['on'],
  says: RegExp,
  was: Was,
  [after, before]: readonly [string, string],
  status = 404,
): Reworded => ({
  on,
  before: { status: 404, says, text: ({ input }, context) => was(input, context) },
  after: { status, says, text: '' },
  only: 'down',
  everyProfile: true,
  samples: [{ after, before, name: 'x' }],
})

function killed(text: string, context: StepContext): string {
  const gone = noId(text.replace(/^cannot kill container:? [^:]+: (no such container: .+)$/i, '$1'))
  if (context.client < 20) return gone
  return `Cannot kill container ${nameOf(context)}: ${context.client < 21 ? '' : 'nosuchcontainer: '}${gone}`
}

const [CONTAINER, GONE] = ['No such container: x', 'no such id: x']
const [IMAGE, IMAGE_GONE] = ['No such image: x:latest', `could not find image: ${GONE}`]
const ENDPOINT = 'invalid container <nil> : nosuchcontainer: no such id: '
const NO_EXEC = /^No such exec instance: (.+)$/

/** The errors of engines up to 1.9 for missing objects. Recorded on 1.6.2, 1.7.1, 1.8.3, 1.9.1 (…-404). */
export const ofMissing: readonly Reworded[] = [
  missing(LOOKS_UP, NO_CONTAINER, noId, [CONTAINER, GONE]),
  // Engine 20.10 answers 500 for the filters since and before of the list.
  missing('ContainerList', NO_CONTAINER, noId, [CONTAINER, GONE], 500),
  missing(LOOKS_UP, NO_EXEC, (text) => text.replace(NO_EXEC, "No such exec instance '$1' found in daemon"), [
    'No such exec instance: x',
    "No such exec instance 'x' found in daemon",
  ]),
  missing('ContainerWait', NO_CONTAINER, (text, { client }) => (client < 19 ? 'wait: ' : '') + noId(text), [
    CONTAINER,
    GONE,
  ]),
  missing('ContainerKill', NO_CONTAINER, killed, [
    `Cannot kill container: x: ${CONTAINER}`,
    `Cannot kill container x: nosuchcontainer: ${GONE}`,
  ]),
  // "No such image" of create and inspect stays: clients pull if they see it.
  missing('ImageInspect', NO_IMAGE, plainImage, [`no such image: x: ${IMAGE}`, 'No such image: x']),
  missing(['ImageHistory', 'ImageTag', 'ImageGet'], NO_IMAGE, imageId, [IMAGE, IMAGE_GONE]),
  missing('ImageDelete', NO_IMAGE, (text, context) => (context.client < 21 ? plainImage : imageId)(text, context), [
    IMAGE,
    IMAGE_GONE,
  ]),
  missing(
    ['NetworkConnect', 'NetworkDisconnect'],
    /^no such container: \S+$/i,
    (text) => text.replace(/^.*: /, ENDPOINT),
    [CONTAINER, `${ENDPOINT}x`],
  ),
  missing(['VolumeInspect', 'VolumeDelete'], /^get \S+: no such volume$/, () => 'no such volume', [
    'get x: no such volume',
    'no such volume',
  ]),
]
