import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { FileField } from '#app/ui/admin/file-field.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { LARGEST_TABLE, type ResponseTableReport } from '../../entry/entry.schema.ts'
import { invalidateResponses, surveyQuery, surveyVersionsQuery } from '../../surveys.queries.ts'
import { ColumnMap } from './ColumnMap.tsx'
import { RowFaults } from './RowFaults.tsx'

/** Imports a file of responses: reads it, assigns columns to questions, then stores all rows or none. */
export function ImportResponses({ id }: { id: string }) {
  const { t } = useTranslation('survey-data')
  const { t: admin } = useTranslation('survey-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const survey = useSuspenseQuery(surveyQuery(id)).data.data
  const newest = useSuspenseQuery(surveyVersionsQuery(id)).data[0]
  const [file, setFile] = useState<File>()
  const [columns, setColumns] = useState<string[]>([])
  const read = useMutation({
    mutationFn: async (file: File | undefined) => {
      if (!file) throw new UploadRefusedError(t('csv.choose'))
      if (file.size > LARGEST_TABLE) throw new UploadRefusedError(t('csv.too-large'))
      return uploadFile(file)
    },
    onSuccess: (report) => {
      setColumns(report.columns.map(({ target }) => target))
      store.reset()
    },
  })
  const store = useMutation({
    mutationFn: async () => {
      if (!read.variables) throw new UploadRefusedError(t('csv.choose'))
      return uploadFile(read.variables, columns)
    },
    onSuccess: () => invalidateResponses(queryClient, id),
  })
  const failed = read.error ?? store.error
  const problem = failed && (failed instanceof UploadRefusedError ? failed.message : admin('load-failed'))
  const startAgain = () => {
    read.reset()
    store.reset()
    setFile(undefined)
  }
  const header = (
    <PageHeader
      title={t('csv.title')}
      meta={
        <>
          <Link to="/admin/surveys/$survey/responses" params={{ survey: id }}>
            {admin('response.back')}
          </Link>
          {` · ${survey.title}`}
        </>
      }
    />
  )
  if (!newest) {
    return (
      <>
        {header}
        <EmptyState title={t('paper.not-published')}>{t('paper.not-published-text')}</EmptyState>
      </>
    )
  }
  if (store.data && store.data.faults.length === 0) {
    const { stored, existing } = store.data
    return (
      <div className="admin-stack">
        {header}
        <Notice kind="success" title={t('csv.stored', { count: stored, number: format.number(stored) })}>
          {existing > 0 && <p>{t('csv.existing', { count: existing, number: format.number(existing) })}</p>}
        </Notice>
        <div className="row">
          <Link to="/admin/surveys/$survey/results" params={{ survey: id }} className={getButtonClass()}>
            {t('csv.see')}
          </Link>
          <Button kind="secondary" onClick={startAgain}>
            {t('csv.another')}
          </Button>
        </div>
      </div>
    )
  }
  return (
    <div className="admin-stack">
      {header}
      <form
        noValidate
        className="admin-form"
        onSubmit={(event) => {
          event.preventDefault()
          read.mutate(file)
        }}
      >
        <p className="meta">{t('csv.text', { size: format.bytes(LARGEST_TABLE) })}</p>
        <ErrorSummary title={admin('problem')} errors={problem ? [{ id: 'file', message: problem }] : []} />
        <FileField
          name="file"
          label={t('csv.file')}
          button={t('import.choose-file')}
          accept=".csv,.tsv,.txt,.json"
          error={read.error && problem ? problem : undefined}
          onChoose={setFile}
        />
        <div>
          <Button type="submit" kind={read.data ? 'secondary' : 'primary'} pending={read.isPending}>
            {t('csv.read')}
          </Button>
        </div>
      </form>
      {read.data && (
        <ColumnMap
          definition={newest.definition}
          report={read.data}
          columns={columns}
          onChange={setColumns}
          onStore={() => store.mutate()}
          isStoring={store.isPending}
        />
      )}
      {store.data && <RowFaults faults={store.data.faults} />}
    </div>
  )

  async function uploadFile(chosen: File, targets?: readonly string[]): Promise<ResponseTableReport> {
    const body = new FormData()
    if (targets) body.set('columns', JSON.stringify(targets))
    body.set('file', chosen)
    const answer = await fetch(`/admin/surveys/${id}/responses/import.json`, { method: 'POST', body }).catch(async (error: unknown) => {
      throw (await hasChanged(chosen)) ? new UploadRefusedError(t('csv.changed')) : error
    })
    const result = (await answer.json()) as ResponseTableReport | { error: { code: string; title: string } }
    if (!('error' in result)) return result
    throw new UploadRefusedError(result.error.code === 'unreadable-file' ? t('csv.unreadable') : result.error.title)
  }
}

/** Browsers refuse to read a file that was saved again after it was chosen. */
const hasChanged = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => false,
      () => true,
    )

/** Its message is localised for the reader. */
class UploadRefusedError extends Error {}
