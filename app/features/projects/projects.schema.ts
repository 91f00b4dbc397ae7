import type { PollView } from '#app/features/surveys/poll/poll.schema.ts'
import type { DatePrecision } from '#app/lib/format.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { PictureAttributes } from '#app/lib/picture-address.ts'
import { readChoiceParam, omitUndefined, readTextParam, readIntegerParam } from '#app/lib/search-params.ts'
import type { LocalisedRichText, LocalisedText } from '#app/lib/localised-text.ts'
import type { HeardReportKind } from '#app/lib/vocabulary/heard.ts'
import type { ProjectStatus, Visibility } from '#app/lib/vocabulary/projects.ts'

/** A consultation's state for participants, from its dates and its outcome. */
export const PHASES = ['open', 'upcoming', 'closed', 'results'] as const
export type Phase = (typeof PHASES)[number]

export const PROJECT_SORTS = ['closing', 'newest', 'people'] as const
export type ProjectSort = (typeof PROJECT_SORTS)[number]

export const PROJECTS_PER_PAGE = 12

/** The query parameters of the project list. */
export interface ProjectSearch {
  q?: string
  status?: Phase
  topic?: string
  hub?: string
  area?: string
  sort?: ProjectSort
  page?: number
}

/**
 * Parses the parameters of the project list. Unknown or broken ones are dropped rather than refused; dropping them, instead of setting them
 * to undefined, also keeps the router from redirecting.
 */
export function readProjectSearch({ q, status, topic, hub, area, sort, page }: Record<string, unknown>): ProjectSearch {
  return omitUndefined({
    q: readTextParam(q, 200),
    status: readChoiceParam(status, PHASES),
    topic: slugParam(topic),
    hub: slugParam(hub),
    area: slugParam(area),
    sort: readChoiceParam(sort, PROJECT_SORTS),
    page: readIntegerParam(page, 1, 1000),
  })
}

const slugParam = (value: unknown) =>
  /^[a-z0-9]+(-[a-z0-9]+)*$/.test(readTextParam(value, 80) ?? '') ? readTextParam(value, 80) : undefined

interface NamedLink {
  slug: string
  title: LocalisedText
}

/** The data of a project card. Timestamps are ISO 8601. */
export interface ProjectCardView {
  id: string
  slug: string
  title: LocalisedText
  summary: LocalisedText
  phase: Phase
  archived: boolean
  membersOnly: boolean
  opensAt: string | null
  closesAt: string | null
  participants: number
  /** Duration of the shortest open survey, if known. */
  minutes: number | null
  picture: PictureAttributes | null
  hub: NamedLink | null
  topic: NamedLink | null
}

export interface FacetView extends NamedLink {
  count: number
}

export interface ProjectListView {
  projects: ProjectCardView[]
  total: number
  page: number
  pages: number
  /** The recognised parameters. */
  search: ProjectSearch
  phases: Record<Phase, number>
  hubs: FacetView[]
  topics: FacetView[]
  /** Empty if the site has no areas. */
  areas: FacetView[]
  /** When this was read. */
  now: string
}

export interface ProjectDateView {
  id: string
  title: LocalisedText
  detail: LocalisedText
  happensAt: string
  precision: DatePrecision
}

export interface ProjectDocumentView {
  id: string
  title: LocalisedText
  href: string
  mediaType: string
  bytes: number
  pages: number | null
  language: ContentLanguage | null
}

export interface ProjectSurveyView {
  slug: string
  title: LocalisedText
  /** Its beginning, as plain text. */
  intro: LocalisedText
  open: boolean
  opensAt: string | null
  closesAt: string | null
  minutes: number | null
  people: number
  needsAccount: boolean
  resultsPublic: boolean
  position: number
  /** Set if the survey is answered on the project's page. */
  poll: PollView | null
}

export interface UpdateTeaser {
  slug: string
  title: LocalisedText
  excerpt: string
  publishedAt: string
  project: NamedLink
}

export interface ProjectView extends ProjectCardView {
  status: ProjectStatus
  visibility: Visibility
  pictureAlt: LocalisedText
  body: LocalisedRichText
  outcome: LocalisedRichText
  /** It has a page of published decisions. */
  hasDecisions: boolean
  /** What its published report is about; null if it has none. */
  report: HeardReportKind | null
  place: LocalisedText
  team: { name: string; role: LocalisedText; email: string | null }[]
  faqs: { question: LocalisedText; answer: LocalisedRichText }[]
  publishedAt: string | null
  updatedAt: string
  dates: ProjectDateView[]
  documents: ProjectDocumentView[]
  updates: UpdateTeaser[]
  surveys: ProjectSurveyView[]
  followers: number
  following: boolean
  /** The viewer sees the unpublished project through a preview link or as one of its administrators. */
  preview: boolean
  now: string
}
