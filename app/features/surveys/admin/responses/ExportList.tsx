import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { ProgressBar } from '#app/ui/progress-bar.tsx'
import { surveyExportsQuery } from '../../surveys.queries.ts'

type ExportFile = Awaited<ReturnType<NonNullable<ReturnType<typeof surveyExportsQuery>['queryFn']>>>[number]

/** Exports of the responses: progress, and actions to cancel, download and delete each. Empty if there are none. */
export function ExportList({ survey }: { survey: string }) {
  const { t } = useTranslation('survey-data')
  const { data: files = [] } = useQuery(surveyExportsQuery(survey))
  if (files.length === 0) return null
  return (
    <section className="panel export-files" aria-label={t('exports.title')}>
      <h2>{t('exports.title')}</h2>
      <ul>
        {files.map((file) => (
          <li key={file.id}>
            <ExportLine file={file} survey={survey} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ExportLine({ file, survey }: { file: ExportFile; survey: string }) {
  const { t } = useTranslation('survey-data')
  const { t: admin } = useTranslation('survey-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: () => api.remove('exports', file.id),
    onSettled: () => queryClient.invalidateQueries(surveyExportsQuery(survey)),
  })
  const name = `${admin(`download.${file.format}`)}${file.personal ? ` ${t('exports.personal')}` : ''}`
  const isMade = file.state === 'done'
  const isDue = file.state === 'waiting' || file.state === 'running'
  return (
    <>
      <div className="export-file">
        <strong>{name}</strong>
        {file.state === 'running' ? (
          <ProgressBar
            label={t('exports.running', { done: format.number(file.done), total: format.number(file.total) })}
            value={file.done}
            max={file.total}
          />
        ) : (
          <span className="meta">
            {file.state === 'waiting' && t('exports.waiting')}
            {isMade && t('exports.done', { size: format.bytes(file.bytes ?? 0), when: format.dateTime(file.createdAt) })}
            {file.state === 'failed' && t('exports.failed')}
          </span>
        )}
      </div>
      <div className="row">
        {isMade && (
          <a className="button button-secondary button-small" href={file.address} download>
            {t('exports.take', { file: name })}
          </a>
        )}
        <Button kind="plain" size="small" pending={remove.isPending} onClick={() => remove.mutate()}>
          {isDue ? t('exports.stop') : t('exports.remove')}
          <span className="visually-hidden"> {name}</span>
        </Button>
      </div>
    </>
  )
}
