import type { DraftKind, MissingText } from '#app/features/revisions/draft.schema.ts'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { findTextGaps } from '#app/lib/translated-texts.ts'
import { useGapLabels } from '#app/shell/admin/language-gaps.tsx'
import { useSite } from '#app/shell/page-state.tsx'
import {
  type ActivityContent,
  listContentTexts,
  mergeActivityContents,
  normaliseActivityContent,
  readActivityContent,
} from '../../record/activity-content.schema.ts'

export type ActivityDocument = Resource<'activities'>

export const ACTIVITY_DRAFT: DraftKind<ActivityContent> = {
  read: readActivityContent,
  write: (content) => ({ ...normaliseActivityContent(content) }),
  merge: mergeActivityContents,
  both: (base, mine, theirs) => mergeActivityContents(base, mine, theirs).mine,
}

/** What an activity's record says: what is published, once it is; until then the draft. */
export const toActivityContent = (activity: ActivityDocument): ActivityContent =>
  readActivityContent({ ...activity, stage: activity.relationships.stage?.id ?? null })

/** Lists the texts that an activity would be published without. */
export function useMissingActivityTexts(): (content: ActivityContent) => MissingText[] {
  const { languages } = useSite()
  const nameGaps = useGapLabels()
  return (content) =>
    findTextGaps(listContentTexts(normaliseActivityContent(content)), languages).flatMap(({ code, pointer, name, language }) =>
      nameGaps([{ code, pointer, values: { name, language } }]).map((gap) => ({ ...gap, at: toFieldId(pointer, language) })),
    )
}

/** Id of the input in which a text is written: of a title or an introduction itself, otherwise of the section that it stands in. */
function toFieldId(pointer: string, language: string): string {
  const [field = ''] = pointer.split('/').filter(Boolean)
  return field.endsWith('Translations') ? `${field}.${language}` : 'asks'
}
