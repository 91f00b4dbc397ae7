import { readChoiceParam, omitUndefined, readNamesParam, readTextParam, readIntegerParam } from '#app/lib/search-params.ts'
import { PEOPLE_SORTS, PERSON_STATUSES, type PersonStatus, SITE_ROLES, type SiteRole } from './accounts.schema.ts'

export type PeopleSort = (typeof PEOPLE_SORTS)[number]
export const PEOPLE_PER_PAGE = 50

/** State of the people table in the URL. */
export interface PeopleSearch {
  q?: string
  role?: SiteRole | 'participant'
  status?: PersonStatus
  hub?: string
  group?: string
  sort?: PeopleSort | `-${PeopleSort}`
  /** Hidden columns, comma-separated. */
  hide?: string
  page?: number
}

const SORT_PARAMS = [...PEOPLE_SORTS, ...PEOPLE_SORTS.map((name) => `-${name}` as const)]
const idParam = (value: unknown) =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ? value : undefined

/** Parses URL parameters; invalid values are dropped. */
export function readPeopleSearch({ q, role, status, hub, group, sort, hide, page }: Record<string, unknown>): PeopleSearch {
  return omitUndefined({
    q: readTextParam(q, 200),
    role: readChoiceParam(role, [...SITE_ROLES, 'participant']),
    status: readChoiceParam(status, PERSON_STATUSES),
    hub: idParam(hub),
    group: idParam(group),
    sort: readChoiceParam(sort, SORT_PARAMS),
    hide: readNamesParam(hide),
    page: readIntegerParam(page, 2, 100_000),
  })
}

/** Converts it into API filters. */
export const toPeopleFilter = ({ q, role, status, hub, group }: PeopleSearch) =>
  omitUndefined({ q, role: role && [role], status: status && [status], hub, group })
