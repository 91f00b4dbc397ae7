import { omitUndefined, readChoiceParam, readTextParam } from '#app/lib/search-params.ts'
import { SIGN_IN_FAULTS } from '#app/lib/vocabulary/identity.ts'

type SearchParams = Record<string, unknown>

const LINK_CHANGES = ['linked', 'unlinked'] as const
export type LinkChange = (typeof LINK_CHANGES)[number]

/** Search parameters of the pages for signing in elsewhere. Invalid values are dropped. */
export const readFailureSearch = ({ fault, reference }: SearchParams) =>
  omitUndefined({ fault: readChoiceParam(fault, SIGN_IN_FAULTS), reference: readReference(reference) })
export const readRequestedSearch = ({ reference }: SearchParams) => omitUndefined({ reference: readReference(reference) })
export const readMethodsSearch = ({ done }: SearchParams) => omitUndefined({ done: readChoiceParam(done, LINK_CHANGES) })

/** Only what our own references look like, so that nobody puts words of theirs on the page. */
function readReference(value: unknown): string | undefined {
  const text = readTextParam(value, 64)
  return text !== undefined && /^[\dA-Za-z-]{6,64}$/.test(text) ? text : undefined
}
