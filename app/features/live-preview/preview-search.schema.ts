import { readChoiceParam, omitUndefined, readTextParam } from '#app/lib/search-params.ts'

export const PREVIEW_READERS = ['visitor', 'participant', 'member'] as const
export type PreviewReader = (typeof PREVIEW_READERS)[number]

/** Preview options in the frame's URL. */
export interface PreviewSearch {
  as?: PreviewReader
  /** ISO 8601: the time to preview. */
  at?: string
  /** Shows the published page instead of the draft, for comparison. */
  published?: 'true'
  /** Token that opens the draft without an account. */
  link?: string
}

export function readPreviewSearch({ as, at, published, link }: Record<string, unknown>): PreviewSearch {
  const moment = readTextParam(at, 40)
  return omitUndefined({
    as: readChoiceParam(as, PREVIEW_READERS),
    at: moment !== undefined && Number.isFinite(Date.parse(moment)) ? moment : undefined,
    published: readChoiceParam(published, ['true']),
    link: readTextParam(link, 120),
  })
}
