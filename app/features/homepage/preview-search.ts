import { readChoiceParam, omitUndefined, readTextParam } from '#app/lib/search-params.ts'

export const PREVIEW_READERS = ['visitor', 'participant', 'member'] as const
export type PreviewReader = (typeof PREVIEW_READERS)[number]

/** How a preview is looked at; it stands in the frame's address. */
export interface PreviewSearch {
  as?: PreviewReader
  /** ISO 8601: what it will be like then. */
  at?: string
  /** What is published instead of the draft, to stand beside it. */
  published?: 'true'
  /** What opens the draft to somebody without an account. */
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
