import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAppError } from '#app/lib/app-error.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { LARGEST_TABLE } from '../../entry/entry.schema.ts'
import { readResponseTable } from '../../entry/entry.functions.ts'
import { invalidateResponses, surveyQuery, surveyVersionsQuery } from '../../surveys.queries.ts'
import { ColumnMap } from './ColumnMap.tsx'
import { FileField } from './FileField.tsx'
import { RowFaults } from './RowFaults.tsx'

/** Imports a table of responses: reads the file, assigns columns to questions, then stores all rows or none. */
export function ImportResponses({ id }: { id: string }) {
  const { t } = useTranslation('survey-data')
  const { t: admin } = useTranslation('survey-admin')
  const { t: errors } = useTranslation('errors')
  const format = useFormat()
  const queryClient = useQueryClient()
  const survey = useSuspenseQuery(surveyQuery(id)).data.data
  const newest = useSuspenseQuery(surveyVersionsQuery(id)).data[0]
  const [file, setFile] = useState<File>()
  const [text, setText] = useState('')
  const [columns, setColumns] = useState<string[]>([])
  const read = useMutation({
    mutationFn: async () => {
      if (!file) throw new UploadRefusedError(t('csv.choose'))
      if (file.size > LARGEST_TABLE) throw new UploadRefusedError(t('csv.too-large'))
      const content = await file.text()
      setText(content)
      return readResponseTable({ data: { survey: id, text: content } })
    },
    onSuccess: (report) => {
      setColumns(report.columns.map(({ target }) => target))
      store.reset()
    },
  })
  const store = useMutation({
    mutationFn: () => readResponseTable({ data: { survey: id, text, columns } }),
    onSuccess: () => invalidateResponses(queryClient, id),
  })
  const failed = read.error ?? store.error
  const problem = failed && wordsOf(failed)
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
  if (store.data && store.data.stored > 0) {
    const { stored } = store.data
    return (
      <div className="admin-stack">
        {header}
        <Notice kind="success" title={t('csv.stored', { count: stored, number: format.number(stored) })} />
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
          read.mutate()
        }}
      >
        <p className="meta">{t('csv.text', { size: format.bytes(LARGEST_TABLE) })}</p>
        <ErrorSummary title={admin('problem')} errors={problem ? [{ id: 'file', message: problem }] : []} />
        <FileField
          name="file"
          label={t('csv.file')}
          accept=".csv,.tsv,.txt"
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

  function wordsOf(error: Error): string {
    if (error instanceof UploadRefusedError) return error.message
    if (!isAppError(error)) return admin('load-failed')
    const [fault] = error.faults
    if (fault?.code === 'unreadable-file') return t('csv.unreadable')
    return errors(...toFaultTitle(fault ?? { code: error.code }))
  }
}

/** Its message is localised for the reader. */
class UploadRefusedError extends Error {}
