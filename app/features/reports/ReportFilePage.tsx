import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { ProgressBar } from '#app/ui/progress-bar.tsx'
import type { ReportFile } from './report-exports.server.ts'
import { reportFileQuery } from './reports.queries.ts'

/** A PDF, or the workbook of a project's codes, in the background: how far it is, and the file. Without JavaScript, a link looks again. */
export function ReportFilePage({ id }: { id: string }) {
  const { t } = useTranslation('reports')
  const { data: file } = useQuery(reportFileQuery(id))
  if (!file) return null
  const words = file.kind === 'codes' ? 'file.codes' : 'file'
  return (
    <div className="page wrap-narrow stack">
      <PageTitle eyebrow={t(`${words}.eyebrow`)} title={file.title} />
      <div aria-live="polite">
        <Progress file={file} />
      </div>
      {(file.state === 'waiting' || file.state === 'running') && (
        <noscript>
          <p>
            <a href={`/report-files/${id}`}>{t('file.look-again')}</a>
          </p>
        </noscript>
      )}
      <div className="row">
        {file.state === 'done' && <ButtonLink href={`/report-files/${id}/download`}>{t(`${words}.download`)}</ButtonLink>}
        <form method="post">
          <Button type="submit" kind="secondary">
            {t(file.state === 'waiting' || file.state === 'running' ? 'file.cancel' : 'file.remove')}
          </Button>
        </form>
        <a href={file.back}>{t(`${words}.back`)}</a>
      </div>
    </div>
  )
}

function Progress({ file: { kind, state, done, total, bytes, expiresAt } }: { file: ReportFile }) {
  const { t } = useTranslation('reports')
  const format = useFormat()
  const words = kind === 'codes' ? 'file.codes' : 'file'
  switch (state) {
    case 'waiting':
      return <ProgressBar label={t(`${words}.waiting`)} value={done} max={total} />
    case 'running':
      return (
        <ProgressBar label={t(`${words}.running`, { done: format.number(done), total: format.number(total) })} value={done} max={total} />
      )
    case 'done':
      return (
        <Notice kind="success" title={t(`${words}.done`, { size: format.bytes(bytes ?? 0) })}>
          <p>{t('file.kept-until', { when: format.date(expiresAt) })}</p>
        </Notice>
      )
    default:
      return (
        <Notice kind="error" title={t(`${words}.failed`)}>
          <p>{t(`${words}.failed-text`)}</p>
        </Notice>
      )
  }
}
