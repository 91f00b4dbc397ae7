import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Visibility } from '#app/lib/vocabulary/projects.ts'
import type { projectShape } from '../projects.api.schema.ts'
import type { projectQuery } from '../projects.queries.ts'

export type ProjectDocument = Awaited<ReturnType<NonNullable<ReturnType<typeof projectQuery>['queryFn']>>>
export type Project = ProjectDocument['data']

/** The editor's state while somebody types. */
export interface ProjectDraft {
  titleTranslations: Translated
  summaryTranslations: Translated
  bodyTranslations: Translated
  outcomeTranslations: Translated
  picture: string | null
  pictureAltTranslations: Translated
  slug: string
  visibility: Visibility
  opensAt: string | null
  closesAt: string | null
  hub: string | null
  topic: string | null
  featured: boolean
  dates: NonNullable<UpdateInput<typeof projectShape>['dates']>
  team: NonNullable<UpdateInput<typeof projectShape>['team']>
  place: (UpdateInput<typeof projectShape>['place'] & {}) | null
  faqs: NonNullable<UpdateInput<typeof projectShape>['faqs']>
}

export const TRANSLATED_FIELDS = ['titleTranslations', 'summaryTranslations', 'bodyTranslations', 'outcomeTranslations'] as const

export function toProjectDraft(project: Project): ProjectDraft {
  return {
    titleTranslations: project.titleTranslations ?? {},
    summaryTranslations: project.summaryTranslations ?? {},
    bodyTranslations: project.bodyTranslations ?? {},
    outcomeTranslations: project.outcomeTranslations ?? {},
    picture: project.picture,
    pictureAltTranslations: project.pictureAltTranslations ?? {},
    slug: project.slug,
    visibility: project.visibility,
    opensAt: project.opensAt,
    closesAt: project.closesAt,
    hub: project.relationships.hub?.id ?? null,
    topic: project.relationships.topic?.id ?? null,
    featured: project.featured,
    dates: project.dates,
    team: project.team,
    place: project.place,
    faqs: project.faqs,
  }
}

export function findChangedFields(from: ProjectDraft, to: ProjectDraft): (keyof ProjectDraft)[] {
  return (Object.keys(to) as (keyof ProjectDraft)[]).filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
}
