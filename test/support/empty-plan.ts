import type { Plan } from '../../src/translate/compile.ts'

/** No steps on either side: bytes pass through unchanged. */
export const isEmpty = ({ request, response }: Plan): boolean =>
  [request.steps, response.head, response.body, response.errors].every((steps) => steps.length === 0)
