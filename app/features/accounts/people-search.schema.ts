import { parseProfileFilter } from '#app/features/profile-answers/profile-answers.schema.ts'
import { readIdParam, readNamesParam, readSortParam } from '#app/lib/list-search.ts'
import { omitUndefined, readChoiceParam, readIntegerParam, readTextParam } from '#app/lib/search-params.ts'
import {
  PARTICIPATION_TIMES,
  type ParticipationTime,
  PEOPLE_SORTS,
  PERSON_STATUSES,
  type PersonStatus,
  SITE_ROLES,
  type SiteRole,
} from './accounts.schema.ts'

export type PeopleSort = (typeof PEOPLE_SORTS)[number]
export const PEOPLE_PER_PAGE = 50
/** Columns of the table that are hidden by default. */
export const PEOPLE_COLUMNS_HIDDEN_AT_FIRST = [
  'projects',
  'firstParticipationAt',
  'lastParticipationAt',
  'language',
  'groups',
  'news',
] as const
/** Choices of the filter by the number of projects that a person took part in. */
export const PROJECT_COUNTS = ['1', '2', '3', '5', '10'] as const

/** State of the people table in the URL. */
export interface PeopleSearch {
  q?: string
  role?: SiteRole | 'participant'
  status?: PersonStatus
  hub?: string
  projectsAtLeast?: (typeof PROJECT_COUNTS)[number]
  tookPart?: ParticipationTime
  /** The id of a topic. */
  followsTopic?: string
  group?: string
  /** What they said about themselves, as `filter[profile]` of the API has it. */
  profile?: string
  sort?: PeopleSort | `-${PeopleSort}`
  /** Hidden columns, comma-separated. */
  hide?: string
  page?: number
}

/** Parses URL parameters; invalid values are dropped. */
export function readPeopleSearch({
  q,
  role,
  status,
  hub,
  projectsAtLeast,
  tookPart,
  followsTopic,
  group,
  profile,
  sort,
  hide,
  page,
}: Record<string, unknown>): PeopleSearch {
  return omitUndefined({
    q: readTextParam(q, 200),
    role: readChoiceParam(role, [...SITE_ROLES, 'participant']),
    status: readChoiceParam(status, PERSON_STATUSES),
    hub: readIdParam(hub),
    projectsAtLeast: readChoiceParam(projectsAtLeast, PROJECT_COUNTS),
    tookPart: readChoiceParam(tookPart, PARTICIPATION_TIMES),
    followsTopic: readIdParam(followsTopic),
    group: readIdParam(group),
    profile: typeof profile === 'string' && parseProfileFilter(profile) ? profile.slice(0, 500) : undefined,
    sort: readSortParam(sort, PEOPLE_SORTS),
    hide: readNamesParam(hide),
    page: readIntegerParam(page, 2, 100_000),
  })
}

/** Converts it into API filters. */
export const toPeopleFilter = ({ q, role, status, hub, projectsAtLeast, tookPart, followsTopic, group, profile }: PeopleSearch) =>
  omitUndefined({
    q,
    role: role && [role],
    status: status && [status],
    hub,
    projectsAtLeast: projectsAtLeast && Number(projectsAtLeast),
    tookPart,
    followsTopic,
    group,
    profile,
  })
