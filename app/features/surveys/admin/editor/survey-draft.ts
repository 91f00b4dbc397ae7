import { isJsonEqual } from '#app/lib/json-equal.ts'
import type { MergedVersions } from '#app/shell/admin/drafts/draft.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { SurveyAccess, SurveyVariant } from '#app/lib/vocabulary/surveys.ts'
import type { VerificationRule } from '#app/lib/vocabulary/verifications.ts'
import type { surveyQuery } from '../../surveys.queries.ts'
import type { Definition } from '../../surveys.schema.ts'
import { type DefinitionConflict, mergeDefinitions } from './definition-merge.ts'
import { mergeValues } from './merge-values.ts'

export type SurveyDocument = Awaited<ReturnType<NonNullable<ReturnType<typeof surveyQuery>['queryFn']>>>
export type Survey = SurveyDocument['data']

/** The editor's state. */
export interface SurveyDraft {
  titleTranslations: Translated
  introTranslations: Translated
  thanksTranslations: Translated
  slug: string
  access: SurveyAccess
  groupId: string | null
  verification: VerificationRule | null
  anonymous: boolean
  variant: SurveyVariant
  resultsPublic: boolean
  changeable: boolean
  smsKeywords: Translated
  opensAt: string | null
  closesAt: string | null
  minutes: number | null
  definition: Definition
}

export type DraftField = keyof SurveyDraft

export function toSurveyDraft(survey: Survey): SurveyDraft {
  return {
    titleTranslations: survey.titleTranslations ?? {},
    introTranslations: survey.introTranslations ?? {},
    thanksTranslations: survey.thanksTranslations ?? {},
    slug: survey.slug,
    access: survey.access,
    groupId: survey.groupId ?? null,
    verification: survey.verification,
    anonymous: survey.anonymous,
    variant: survey.variant,
    resultsPublic: survey.resultsPublic,
    changeable: survey.changeable,
    smsKeywords: survey.smsKeywords ?? {},
    opensAt: survey.opensAt,
    closesAt: survey.closesAt,
    minutes: survey.minutes,
    definition: (survey.definition as Definition | undefined) ?? { schema: 1, pages: [] },
  }
}

export function listChangedFields(from: SurveyDraft, to: SurveyDraft): DraftField[] {
  return (Object.keys(to) as DraftField[]).filter((name) => !isJsonEqual(from[name], to[name]))
}

export type DraftConflict = { kind: 'field'; id: Exclude<DraftField, 'definition'>; mine: unknown; theirs: unknown } | DefinitionConflict

interface MergedDrafts extends MergedVersions<SurveyDraft> {
  conflicts: DraftConflict[]
}

/** Three-way merge of two people's changes to a survey: field by field, and the questions one by one. */
export function mergeDrafts(base: SurveyDraft, mine: SurveyDraft, theirs: SurveyDraft): MergedDrafts {
  const definitions = mergeDefinitions(base.definition, mine.definition, theirs.definition)
  const merged = {
    mine: { ...theirs, definition: definitions.mine },
    theirs: { ...theirs, definition: definitions.theirs },
    conflicts: [...definitions.conflicts] as DraftConflict[],
  }
  for (const id of listChangedFields(base, mine)) {
    if (id === 'definition') continue
    // The texts of a field in different languages are independent of each other.
    const joined = id.endsWith('Translations') ? mergeValues(base[id], mine[id], theirs[id]) : undefined
    const clash = !joined && !isJsonEqual(base[id], theirs[id]) && !isJsonEqual(mine[id], theirs[id])
    if (clash) merged.conflicts.push({ kind: 'field', id, mine: mine[id], theirs: theirs[id] })
    const value = joined ? joined.value : mine[id]
    Object.assign(merged.mine, { [id]: value })
    if (!clash) Object.assign(merged.theirs, { [id]: value })
  }
  return { ...merged, isClear: merged.conflicts.length === 0 }
}

/** Whether both versions of everything in conflict can stand in one survey: a question can have a copy, its title cannot. */
export const canKeepBoth = (conflicts: readonly DraftConflict[]): boolean =>
  conflicts.every(({ kind, mine, theirs }) => kind !== 'field' && (kind === 'question' || mine === null || theirs === null))

/** Both versions of each question in conflict, theirs as a copy after mine. What one of the two removed stays. */
export const keepBothVersions = (base: SurveyDraft, mine: SurveyDraft, theirs: SurveyDraft): SurveyDraft => ({
  ...mergeDrafts(base, mine, theirs).mine,
  definition: mergeDefinitions(base.definition, mine.definition, theirs.definition).both,
})
