import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { Notice } from '#app/ui/notice.tsx'
import type { ActivityView } from '../record/contributions.schema.ts'
import type { MergedIntoView } from '../record/merging.schema.ts'

/** On the page of a merged contribution: where people support and reply now. */
export function MergedNotice({ activity, merged }: { activity: ActivityView; merged: MergedIntoView }) {
  const { t } = useTranslation('contributions')
  const { number, title, isPublic, reason } = merged
  return (
    <Notice title={t('merging.into-title', { number })}>
      <p>{t('merging.into-text')}</p>
      <p>{t('merging.reason', { reason })}</p>
      <p>
        {isPublic ? (
          <a href={toLocalHref(`/projects/${activity.project.slug}/${activity.slug}/${number}`)}>
            {t('merging.into-link', { number, title })}
          </a>
        ) : (
          t('merging.into-away', { number })
        )}
      </p>
    </Notice>
  )
}
