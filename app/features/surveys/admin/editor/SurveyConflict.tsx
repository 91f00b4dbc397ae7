import { useTranslation } from 'react-i18next'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { Draft } from '#app/shell/admin/drafts/draft.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
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
  return (
    <Notice kind="warning" title={t('conflict.title')}>
      <p>{t('conflict.text')}</p>
      <table className="admin-table conflict-table">
        <caption className="visually-hidden">{t('conflict.title')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('conflict.what')}</th>
            <th scope="col">{t('conflict.mine')}</th>
            <th scope="col">{t('conflict.theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {conflicts.map((each) => (
            <tr key={each.id}>
              <th scope="row">{nameOf(each)}</th>
              <td>
                <span className="for-narrow">{t('conflict.mine')}</span>
                {each.mine === null && each.kind !== 'field' ? t('conflict.removed') : describeDifferences(each.mine, each.theirs)}
              </td>
              <td>
                <span className="for-narrow">{t('conflict.theirs')}</span>
                {each.theirs === null && each.kind !== 'field' ? t('conflict.removed') : describeDifferences(each.theirs, each.mine)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
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
