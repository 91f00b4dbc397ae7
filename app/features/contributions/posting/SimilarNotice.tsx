import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { useSupportCount } from '../reading/use-support-count.ts'
import type { ActivityView, SimilarView } from '../contributions.schema.ts'

/** What others have said already, to support instead. A question is joined by the form’s own button. */
export function SimilarNotice({ activity, similar }: { activity: ActivityView; similar: readonly SimilarView[] }) {
  const { t } = useTranslation('contributions')
  const countSupport = useSupportCount(activity)
  const { question } = activity.tools
  return (
    <Notice title={t(`kinds.${activity.kind}.similar`)}>
      <p>{t(question ? 'question.similar-text' : 'write.similar-text')}</p>
      <ul className="similar-list">
        {similar.map(({ number, title, lang, supports, isAnswered }) => (
          <li key={number}>
            <a href={toLocalHref(`/projects/${activity.project.slug}/${activity.slug}/${number}`)} lang={lang}>
              {title}
            </a>{' '}
            <span className="meta">{countSupport(supports)}</span> {isAnswered && <Tag>{t('question.answered')}</Tag>}
            <br />
            {!question ? (
              <a href={toLocalHref(`/projects/${activity.project.slug}/${activity.slug}/${number}#support`)}>
                {t('write.similar-support')}
                <span className="visually-hidden">: {title}</span>
              </a>
            ) : isAnswered ? (
              <a href={toLocalHref(`/projects/${activity.project.slug}/${activity.slug}/${number}`)}>
                {t('question.read-answer')}
                <span className="visually-hidden">: {title}</span>
              </a>
            ) : (
              <Button type="submit" name="join" value={String(number)} kind="secondary" size="small">
                {t('question.join')}
                <span className="visually-hidden">: {title}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
