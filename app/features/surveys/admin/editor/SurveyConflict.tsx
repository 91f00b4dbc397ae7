import { useTranslation } from 'react-i18next'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { Draft } from '#app/shell/admin/drafts/draft.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { DifferenceTable } from '#app/ui/admin/difference-table.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { canKeepBoth, type DraftConflict, mergeDrafts, type SurveyDraft } from './survey-draft.ts'

interface SurveyConflictProps {
  draft: Pick<Draft<SurveyDraft>, 'base' | 'content' | 'conflict' | 'keepMine' | 'keepTheirs' | 'keepBoth'>
}

/** Conflicting changes by two people, both versions side by side. Everything else has already been merged. */
export function SurveyConflict({ draft }: SurveyConflictProps) {
  const { t } = useTranslation('survey-admin')
  const { t: editor } = useTranslation('editor')
  const { locale } = useSite()
  const language = useLanguage()
  const nameOf = (each: DraftConflict): string => {
    if (each.kind === 'field') return t(`fields.${each.id}`)
    if (each.kind === 'quota') return t('quota.one')
    const either = each.mine ?? each.theirs
    const title = either && 'title' in either ? either.title : undefined
    return getTranslation(title, language, locale) || t(UNTITLED[each.kind])
  }
  if (!draft.conflict) return null
  const { conflicts } = mergeDrafts(draft.base.content, draft.content, draft.conflict.content)
  const byKey = new Map(conflicts.map((each) => [`${each.kind} ${each.id}`, each]))
  const describeEach = (key: string, describe: (each: DraftConflict) => string): string => {
    const each = byKey.get(key)
    return each ? describe(each) : ''
  }
  const describeSide = (each: DraftConflict, side: 'mine' | 'theirs', other: 'mine' | 'theirs'): string =>
    each[side] === null && each.kind !== 'field' ? t('conflict.removed') : describeDifferences(each[side], each[other])
  return (
    <Notice kind="warning" title={t('conflict.title')}>
      <p>{t('conflict.text')}</p>
      <DifferenceTable
        names={[...byKey.keys()]}
        caption={t('conflict.title')}
        labels={{ field: t('conflict.what'), before: t('conflict.mine'), after: t('conflict.theirs') }}
        nameOf={(key) => describeEach(key, nameOf)}
        renderBefore={(key) => describeEach(key, (each) => describeSide(each, 'mine', 'theirs'))}
        renderAfter={(key) => describeEach(key, (each) => describeSide(each, 'theirs', 'mine'))}
      />
      <div className="row">
        {canKeepBoth(conflicts) && (
          <Button type="button" size="small" onClick={draft.keepBoth}>
            {editor('conflict.keep-both')}
          </Button>
        )}
        <Button type="button" kind="secondary" size="small" onClick={draft.keepMine}>
          {editor('conflict.keep-mine')}
        </Button>
        <Button type="button" kind="secondary" size="small" onClick={draft.keepTheirs}>
          {editor('conflict.keep-theirs')}
        </Button>
      </div>
    </Notice>
  )
}

const UNTITLED = { question: 'outline.untitled', page: 'page.untitled', ending: 'ending.untitled' } as const

/** The values in one that differ from the other, as text. */
function describeDifferences(one: unknown, other: unknown): string {
  if (typeof one !== 'object' || one === null) return one === null || one === undefined || one === '' ? '–' : describeValue(one)
  const beside = (typeof other === 'object' && other !== null ? other : {}) as Record<string, unknown>
  const different = Object.entries(one)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(beside[name]))
    .map(([, value]) => describeValue(value))
  return different.filter(Boolean).join(' · ').slice(0, 600) || '–'
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(describeValue).filter(Boolean).join(', ')
  if (typeof value === 'object' && value !== null) {
    const { id: _id, ...rest } = value as { id?: unknown } & Translated
    return Object.values(rest as Record<string, unknown>)
      .map(describeValue)
      .filter(Boolean)
      .join(' / ')
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : value === true ? '✓' : ''
}
