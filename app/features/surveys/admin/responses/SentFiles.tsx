import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageButtons } from '#app/shell/admin/page-buttons.tsx'
import { useFormat } from '#app/shell/use-format.ts'
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
      <PageButtons page={page} size={FILES_PER_LIST} total={total} onPage={setPage} />
    </div>
  )
}
