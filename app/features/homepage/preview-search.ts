import { choiceParam, given, textParam } from '#app/lib/search-params.ts'

export const READERS = ['visitor', 'participant', 'member'] as const
export type Reader = (typeof READERS)[number]

/** How a preview is looked at; it stands in the frame's address. */
export interface PreviewSearch {
  as?: Reader
  /** ISO 8601: what it will be like then. */
  at?: string
  /** What is published instead of the draft, to stand beside it. */
  published?: 'true'
  /** What opens the draft to somebody without an account. */
  link?: string
}

export function readPreviewSearch({ as, at, published, link }: Record<string, unknown>): PreviewSearch {
  const moment = textParam(at, 40)
  return given({
    as: choiceParam(as, READERS),
    at: moment !== undefined && Number.isFinite(Date.parse(moment)) ? moment : undefined,
    published: choiceParam(published, ['true']),
    link: textParam(link, 120),
  })
}
