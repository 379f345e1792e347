import { ProxyError } from '../../src/api/errors.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'

/** The last version with the older text: recordings 1.6.2 to 1.9.1, image-tag-norepo; 1.10.3 and later differ. */
const OTHER_WORDS_TO = apiVersion(21)
const STATUS = 500

/** Engines from 24.0 on answer 200 and set no tag, so the client would believe that the tag exists. */
export function refuseWithoutRepository({ query }: RequestMessage, { client }: StepContext): void {
  if ((query.get('repo') ?? '') !== '') return
  const words = client <= OTHER_WORDS_TO ? "Repository name can't be empty" : 'invalid reference format'
  throw new ProxyError('validation', words, { status: STATUS })
}
