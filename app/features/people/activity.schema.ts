import { readIdParam } from '#app/lib/list-search.ts'
import { omitUndefined, readChoiceParam, readIntegerParam } from '#app/lib/search-params.ts'

/**
 * What is listed of a person. Support and votes on money are secret, and so are answers to anonymous surveys. What belongs to no project is seen
 * only by those who manage everybody.
 */
export const ACTIVITY_KINDS = [
  'joined',
  'answered',
  'contributed',
  'replied',
  'signed-up',
  'attended',
  'follows',
  'follows-contribution',
  'member',
  'verified',
  'agreed-mails',
  'refused-mails',
  'agreed-texts',
  'refused-texts',
  'mailed',
  'returned',
  'texted',
] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

export const ACTIVITIES_PER_PAGE = 25

/** State of the list on a person's page in the URL. */
export interface PersonSearch {
  kind?: ActivityKind
  project?: string
  page?: number
}

/** Parses URL parameters; invalid values are dropped. */
export const readPersonSearch = ({ kind, project, page }: Record<string, unknown>): PersonSearch =>
  omitUndefined({
    kind: readChoiceParam(kind, ACTIVITY_KINDS),
    project: readIdParam(project),
    page: readIntegerParam(page, 2, 100_000),
  })

export interface PersonActivity {
  id: string
  kind: ActivityKind
  at: string
  project: { id: string; title: string } | null
  /** What was answered, contributed to, followed or sent. */
  title: string | null
  /** Id of the response, contribution, event or message; of the project if there is nothing closer. */
  target: string | null
  /** Id of the survey of a response. */
  survey: string | null
}
