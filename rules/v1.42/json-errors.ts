import { type OperationName, operationNamed, operationNames } from '../../src/api/operations.ts'
import { type Change, errorTexts } from '../../src/translate/ops.ts'

/** All operations with a JSON body except auth, whose errors are still 500 (seen on 20.10 and 28.5). */
export const READS_JSON: readonly OperationName[] = operationNames.filter(
  (name) => operationNamed(name).request === 'json' && name !== 'SystemAuth',
)

/** Up to 20.10 these decode themselves; the others use a common reader, which answers 400 from 17.06 on. */
const BY_HAND: readonly OperationName[] = ['ContainerCreate', 'ContainerUpdate', 'ImageCommit']

const DECODER = '{decoder=invalid character |json: cannot unmarshal |unexpected EOF}{rest}'

export default {
  summary: 'Bodies and filters that are not JSON get 400; before, many got 500.',
  see: 'api/server/httputils/httputils.go:ReadJSON @v23.0.0; recordings 1.6.2 … 20.10, create-badjson, exec-create-badjson, list-filter-badjson',
  ops: errorTexts(
    `
    ${BY_HAND.join(' ')}
      400 invalid JSON: got EOF while reading request body
        down 500 EOF
      400 invalid JSON: {rest}
        down 500 {rest}
    SecretCreate SecretUpdate ConfigCreate ConfigUpdate
      # Engines built with Go 1.27 (28.5 of Debian).
      400 invalid JSON: json: cannot unmarshal string into Go struct field {field} of type []uint8: illegal base64 data {rest}
        down 400 illegal base64 data {rest}
        1.29 500 illegal base64 data {rest}
    ${READS_JSON.filter((name) => !BY_HAND.includes(name)).join(' ')}
      400 invalid JSON: got EOF while reading request body
        down 400 got EOF while reading request body
        1.29 500 EOF
      400 invalid JSON: {rest}
        down 400 {rest}
        1.29 500 {rest}
    ${READS_JSON.join(' ')}
      400 invalid JSON: got EOF while reading request body
        up {EOF=EOF|got EOF while reading request body}
      400 invalid JSON: ${DECODER}
        up ${DECODER}
    ContainerList ImageList NetworkList SystemEvents VolumePrune PluginList NodeList TaskList SecretList ConfigList
      # The newer text does not say why the filters are invalid.
      400 invalid filter
        down 500
        up 500 {EOF=EOF}
        up 500 ${DECODER}
    `,
    { everyProfile: true },
  ),
} satisfies Change
