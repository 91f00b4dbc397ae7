import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { useReactionCounts } from './use-reaction-counts.ts'
import type { ActivityView, SimilarView } from '../record/contributions.schema.ts'

/** What others have said already, to support instead. A question is joined by the form’s own button. */
export function SimilarNotice({ activity, similar }: { activity: ActivityView; similar: readonly SimilarView[] }) {
  const { t } = useTranslation('contributions')
  const describeReactions = useReactionCounts(activity)
  const { question, reactions } = activity.tools
  const asksOpinion = reactions.includes('disagree')
  return (
    <Notice title={t(`kinds.${activity.kind}.similar`)}>
      <p>{t(question ? 'question.similar-text' : asksOpinion ? 'opinions.similar-text' : 'write.similar-text')}</p>
      <ul className="similar-list">
        {similar.map(({ number, title, lang, isAnswered, ...counts }) => (
          <li key={number}>
            <a href={toLocalHref(`/projects/${activity.project.slug}/${activity.slug}/${number}`)} lang={lang} dir={getDirection(lang)}>
              {title}
            </a>{' '}
            <span className="meta">{describeReactions(counts).join(' · ')}</span> {isAnswered && <Tag>{t('question.answered')}</Tag>}
            {!question ? (
              <a href={toLocalHref(`/projects/${activity.project.slug}/${activity.slug}/${number}#support`)}>
                {t(asksOpinion ? 'opinions.similar-react' : 'write.similar-support')}
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
