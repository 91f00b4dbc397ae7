import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Notice } from '#app/ui/notice.tsx'
import type { ActivityView, SimilarView } from '../contributions.schema.ts'

/** What others have said already, to support instead. */
export function SimilarNotice({ activity, similar }: { activity: ActivityView; similar: readonly SimilarView[] }) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  return (
    <Notice title={t(`kinds.${activity.kind}.similar`)}>
      <p>{t('write.similar-text')}</p>
      <ul className="similar-list">
        {similar.map(({ number, title, lang, supports }) => (
          <li key={number}>
            <a href={toLocalHref(`/projects/${activity.project.slug}/${activity.slug}/${number}`)} lang={lang}>
              {title}
            </a>{' '}
            <span className="meta">{t('supports', { count: supports, number: format.number(supports) })}</span>
            <br />
            <a href={toLocalHref(`/projects/${activity.project.slug}/${activity.slug}/${number}#support`)}>
              {t('write.similar-support')}
              <span className="visually-hidden">: {title}</span>
            </a>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
