import { useTranslation } from 'react-i18next'
import type { Language } from '#app/lib/languages.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { compareBlocks } from '../merge-blocks.ts'
import { BlockDifferences } from './BlockDifferences.tsx'
import type { Conflict, useHomepageDraft } from './use-homepage-draft.ts'

interface ConflictNoticeProps {
  draft: Pick<ReturnType<typeof useHomepageDraft>, 'blocks' | 'keepMine' | 'keepTheirs' | 'keepBoth'>
  conflict: Conflict
  language: Language
}

/** Two people changed the page: both versions side by side, and a way to keep either or both. */
export function ConflictNotice({ draft, conflict, language }: ConflictNoticeProps) {
  const { t } = useTranslation('editor')
  return (
    <Notice kind="warning" title={t('conflict.title')}>
      <p>{t('conflict.text')}</p>
      <BlockDifferences
        differences={compareBlocks(conflict.theirs.blocks, draft.blocks)}
        language={language}
        beforeLabel={t('conflict.theirs')}
        afterLabel={t('conflict.mine')}
      />
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
