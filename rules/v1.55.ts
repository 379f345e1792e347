import type { Change } from '../src/translate/change.ts'

export default [] satisfies Change[]
