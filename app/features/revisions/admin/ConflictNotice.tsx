import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { Draft } from '#app/shell/admin/drafts/draft.ts'

/** Renders the differences between two versions, each with its label. */
export type Compare<Content> = (before: Content, after: Content, labels: { before: string; after: string }) => ReactNode

interface ConflictNoticeProps<Content> {
  draft: Pick<Draft<Content>, 'conflict' | 'content' | 'keepMine' | 'keepTheirs' | 'keepBoth'>
  compare: Compare<Content>
}

/** Two people changed the same thing: shows both versions side by side, to keep either or both. */
export function ConflictNotice<Content>({ draft, compare }: ConflictNoticeProps<Content>) {
  const { t } = useTranslation('editor')
  if (!draft.conflict) return null
  return (
    <Notice kind="warning" title={t('conflict.title')}>
      <p>{t('conflict.text')}</p>
      {compare(draft.conflict.content, draft.content, { before: t('conflict.theirs'), after: t('conflict.mine') })}
      <div className="row">
        <Button size="small" type="button" onClick={draft.keepBoth}>
          {t('conflict.keep-both')}
        </Button>
        <Button kind="secondary" size="small" type="button" onClick={draft.keepMine}>
          {t('conflict.keep-mine')}
        </Button>
        <Button kind="secondary" size="small" type="button" onClick={draft.keepTheirs}>
          {t('conflict.keep-theirs')}
        </Button>
      </div>
    </Notice>
  )
}
