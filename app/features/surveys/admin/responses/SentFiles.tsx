import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { FILES_PER_LIST, responseFilesQuery } from '../../surveys.queries.ts'

/** Files sent in answer to a question, newest first, each with a link to its response. */
export function SentFiles({ survey, question }: { survey: string; question: string }) {
  const { t } = useTranslation('survey-admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const [page, setPage] = useState(1)
  const { data, isPending, isPlaceholderData } = useQuery(responseFilesQuery(survey, question, page))
  const total = data?.meta.total ?? 0
  const last = Math.max(1, Math.ceil(total / FILES_PER_LIST))
  if (isPending) return <Skeleton label={common('loading')} lines={3} />
  return (
    <div className="written-answers">
      <ul aria-label={t('files.list')} aria-busy={isPlaceholderData}>
        {(data?.data ?? []).map((file) => (
          <li key={file.id}>
            <a href={file.address} download>
              {file.name}
            </a>{' '}
            <small>
              {format.bytes(file.bytes)} ·{' '}
              <Link to="/admin/surveys/$survey/responses/$response" params={{ survey, response: file.relationships.response?.id ?? '' }}>
                {t('files.response')}
                <span className="visually-hidden"> {file.name}</span>
              </Link>{' '}
              · {format.dateTime(file.submittedAt)}
            </small>
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
              from: format.number((page - 1) * FILES_PER_LIST + 1),
              to: format.number(Math.min(total, page * FILES_PER_LIST)),
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
