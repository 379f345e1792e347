import { ImageInspect, Info } from '../src/api/shapes/shapes.ts'
import { added, type Changes, errorTexts } from '../src/translate/ops.ts'
import { endpointWords } from './v1.53/endpoint-words.ts'

export default {
  // Further content types of events are selected by Accept: see 1.52/events-legacy-removed.
  '1.53/info-nri': {
    gate: 'prefix',
    summary: 'Info describes the Node Resource Interface (NRI).',
    see: 'docs/api/version-history.md v1.53',
    ops: added(Info, 'NRI', { sample: { Info: [] } }),
  },
  '1.53/image-identity': {
    gate: 'prefix',
    summary: 'An image shows its origin.',
    see: 'docs/api/version-history.md v1.53',
    ops: added(ImageInspect, 'Identity', { sample: { Pull: [] } }),
  },
  '1.53/endpoint-words': {
    summary: 'The error for an endpoint’s address outside every subnet is worded differently.',
    see: 'daemon/container_operations.go @docker-v29.1.5, @docker-v29.2.0; api/types/network/endpoint.go @v28.5.2',
    ops: endpointWords,
  },
  '1.53/error-words': {
    summary: 'The error for an archive without a path is `path cannot be empty`; before, the space was missing.',
    see: 'daemon/server/httputils/form.go @docker-v29.1.5, @docker-v29.2.0',
    ops: errorTexts(`
      ContainerArchive PutContainerArchive
        400 bad parameter: path cannot be empty
          400 bad parameter: pathcannot be empty
    `),
  },
} satisfies Changes
