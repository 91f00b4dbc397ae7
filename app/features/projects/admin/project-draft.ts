import type { DraftKind, MissingText } from '#app/features/revisions/draft.schema.ts'
import { isJsonEqual } from '#app/lib/json-equal.ts'
import { findTextGaps } from '#app/lib/translated-texts.ts'
import { useGapLabels } from '#app/shell/admin/language-gaps.tsx'
import { useSite } from '#app/shell/page-state.tsx'
import { CONTENT_FIELDS, listProjectTexts, normaliseContent, type ProjectContent, readProjectContent } from '../project-content.schema.ts'
import type { projectQuery } from '../projects.queries.ts'

export type ProjectDocument = Awaited<ReturnType<NonNullable<ReturnType<typeof projectQuery>['queryFn']>>>
export type Project = ProjectDocument['data']

export const TRANSLATED_FIELDS = ['titleTranslations', 'summaryTranslations', 'bodyTranslations', 'outcomeTranslations'] as const

export const PROJECT_DRAFT: DraftKind<ProjectContent> = {
  read: readProjectContent,
  write: (content) => ({ ...normaliseContent(content) }),
  both: mergeContent,
}

/** Changes a part of the content. */
export type ChangeContent = (next: Partial<ProjectContent>) => void

/** Three-way merge of two people's versions with the same base. Of a text, each language; if both changed the same, mine wins. */
function mergeContent(base: ProjectContent, mine: ProjectContent, theirs: ProjectContent): ProjectContent {
  const merged = CONTENT_FIELDS.map((name) => {
    if (isJsonEqual(base[name], mine[name])) return [name, theirs[name]]
    if (!name.endsWith('Translations')) return [name, mine[name]]
    const [before, own, other] = [base[name], mine[name], theirs[name]] as Record<string, string>[]
    const changed = Object.entries(own ?? {}).filter(([language, text]) => before?.[language] !== text)
    return [name, { ...other, ...Object.fromEntries(changed) }]
  })
  return Object.fromEntries(merged) as ProjectContent
}

/** Lists the texts that a project would be published without. */
export function useMissingProjectTexts(): (content: ProjectContent) => MissingText[] {
  const { languages } = useSite()
  const nameGaps = useGapLabels()
  return (content) =>
    nameGaps(
      findTextGaps(listProjectTexts(normaliseContent(content)), languages).map(({ code, pointer, name, language }) => ({
        code,
        pointer,
        values: { name, language },
      })),
    )
}
