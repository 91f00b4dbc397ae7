import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import type { QuestionFigures } from '../../surveys.figures.ts'
import { WRITTEN_PER_LIST, writtenAnswersQuery } from '../../surveys.queries.ts'

/** What was written to a question, newest first: all of it where it asks for words, else what stands beside "other". */
export function WrittenAnswers({ survey, figures: { question, answered } }: { survey: string; figures: QuestionFigures }) {
  const { t } = useTranslation('survey-admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const isText = question.type === 'short_text' || question.type === 'long_text' || question.type === 'place'
  const hasWords = isText || ('options' in question && question.options.some((option) => 'other' in option && option.other))
  const [open, setOpen] = useState(isText)
  const [page, setPage] = useState(1)
  const { data, isPending } = useQuery({ ...writtenAnswersQuery(survey, question.id, page), enabled: open && hasWords && answered !== 0 })
  if (!hasWords || answered === 0) return null
  if (!open) {
    return (
      <div>
        <Button kind="secondary" size="small" onClick={() => setOpen(true)}>
          {t('results.see-words')}
        </Button>
      </div>
    )
  }
  if (isPending) return <Skeleton label={common('loading')} lines={4} />
  const total = data?.meta.total ?? 0
  const last = Math.max(1, Math.ceil(total / WRITTEN_PER_LIST))
  return (
    <div className="written-answers">
      <ul>
        {data?.data.map((each) => (
          <li key={each.id}>
            <p lang={each.language}>{each.text}</p>
            <small>{format.dateTime(each.submittedAt)}</small>
          </li>
        ))}
      </ul>
      {last > 1 && (
        <div className="row">
          <Button kind="secondary" size="small" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t('pages.previous')}
          </Button>
          <span className="meta">
            {t('pages.range', {
              from: format.number((page - 1) * WRITTEN_PER_LIST + 1),
              to: format.number(Math.min(total, page * WRITTEN_PER_LIST)),
              total: format.number(total),
            })}
          </span>
          <Button kind="secondary" size="small" disabled={page === last} onClick={() => setPage(page + 1)}>
            {t('pages.next')}
          </Button>
        </div>
      )}
    </div>
  )
}
