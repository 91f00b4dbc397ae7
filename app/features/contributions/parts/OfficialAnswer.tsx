import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Text } from '#app/ui/text.tsx'
import type { OfficialAnswerView } from '../record/contributions.schema.ts'
import { PlainText } from './contribution-parts.tsx'

interface OfficialAnswerProps {
  answer: OfficialAnswerView
  level: 2 | 3
  /** What it says in the page's language, if its reader asked for that. */
  translated?: string | undefined
  /** Asks for its translation. */
  translation?: ReactNode
}

export function OfficialAnswer({ answer, level, translated, translation }: OfficialAnswerProps) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const Heading = `h${level}` as const
  const shown = answer.withdrawn?.reason ?? answer.text
  return (
    <section className="official-answer">
      <Heading>{t(answer.visibility === 'private' ? 'question.answer-for-you' : 'detail.latest-answer')}</Heading>
      <p className="official-answer-head">
        {answer.status && (
          <strong>
            <Text words={answer.status} />
          </strong>
        )}
        <time dateTime={answer.at}>{format.date(answer.at)}</time>
      </p>
      {answer.withdrawn && (
        <p>
          <strong>{t('answer.withdrawn', { date: format.date(answer.withdrawn.at) })}</strong>
        </p>
      )}
      {translation}
      {shown.text && <PlainText {...shown} translated={translated} />}
      {answer.visibility === 'private' && <p className="meta">{t('question.only-you')}</p>}
      {answer.team.text && (
        <p className="official-answer-team">
          <Text words={answer.team} />
        </p>
      )}
      {answer.editedAt && answer.former.length > 0 && (
        <details className="former">
          <summary>{t('answer.edited', { date: format.date(answer.editedAt) })}</summary>
          {answer.former.map((wording) => (
            <section key={wording.at}>
              <p className="meta">{t('answer.until', { date: format.dateTime(wording.at) })}</p>
              <PlainText text={wording.text.text} lang={wording.text.lang} />
              {wording.team.text && (
                <p className="official-answer-team">
                  <Text words={wording.team} />
                </p>
              )}
            </section>
          ))}
        </details>
      )}
    </section>
  )
}
