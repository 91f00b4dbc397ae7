import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { type ImportReport, LARGEST_IMPORT } from '../../import/import.schema.ts'
import { invalidateSurvey } from '../../surveys.queries.ts'
import { useProjectChoice } from '../list/use-project-choice.ts'
import { FileField } from './FileField.tsx'

/** Turns a survey from another tool into a draft, with a report of what could not be carried over. */
export function ImportSurvey({ project: asked }: { project: { id: string; title: string } | undefined }) {
  const { t } = useTranslation('survey-data')
  const { t: admin } = useTranslation('survey-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const { project, setProject, options } = useProjectChoice(asked)
  const [file, setFile] = useState<File>()
  const [problem, setProblem] = useState<string>()
  const make = useMutation({
    mutationFn: async () => {
      if (!file) throw new UploadRefusedError(t('import.choose'))
      const body = new FormData()
      body.set('file', file)
      const answer = await fetch(`/admin/surveys/import.json?${new URLSearchParams({ project })}`, { method: 'POST', body })
      const told = (await answer.json()) as ImportReport | { error: { title: string } }
      if ('error' in told) throw new UploadRefusedError(told.error.title)
      return told
    },
    onMutate: () => setProblem(undefined),
    onError: (error) => setProblem(error instanceof UploadRefusedError ? error.message : t('import.unreachable')),
    onSuccess: () => invalidateSurvey(queryClient),
  })
  if (options.length === 0) return <EmptyState title={admin('new.no-project')}>{admin('new.no-project-text')}</EmptyState>
  if (make.data) return <ImportReportPanel report={make.data} onAgain={() => make.reset()} />
  return (
    <form
      noValidate
      className="admin-form"
      onSubmit={(event) => {
        event.preventDefault()
        make.mutate()
      }}
    >
      <PageHeader title={t('import.title')} meta={t('import.text', { size: format.bytes(LARGEST_IMPORT) })} />
      <ErrorSummary title={admin('problem')} errors={problem ? [{ id: 'file', message: problem }] : []} />
      <SelectInput name="project" label={admin('list.project')} value={project} onChange={setProject} options={options} />
      <FileField name="file" label={t('import.file')} accept=".json,.xlsx,.lss,.xml" error={problem} onChoose={setFile} />
      <div>
        <Button type="submit" pending={make.isPending}>
          {t('import.make')}
        </Button>
      </div>
    </form>
  )
}

/** Its message is localised for the reader. */
class UploadRefusedError extends Error {}

function ImportReportPanel({ report, onAgain }: { report: ImportReport; onAgain: () => void }) {
  const { t } = useTranslation('survey-data')
  const format = useFormat()
  const { notes, faults, questions, surveyId, title } = report
  return (
    <div className="admin-stack">
      <PageHeader
        title={t('import.done', { title })}
        meta={t('import.questions', { count: questions, number: format.number(questions) })}
        actions={
          <>
            <Button kind="secondary" onClick={onAgain}>
              {t('import.another')}
            </Button>
            <Link to="/admin/surveys/$survey" params={{ survey: surveyId }} className={getButtonClass()}>
              {t('import.edit')}
            </Link>
          </>
        }
      />
      {faults > 0 && <Notice kind="warning">{t('import.faults', { count: faults, number: format.number(faults) })}</Notice>}
      {notes.length === 0 ? (
        <Notice kind="success">{t('import.whole')}</Notice>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table is scrolled by keyboard too
        <section className="panel data-scroll" aria-label={t('import.notes')} tabIndex={0}>
          <table className="admin-table">
            <caption>{t('import.notes')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('import.where')}</th>
                <th scope="col">{t('import.what')}</th>
                <th scope="col">{t('import.became')}</th>
              </tr>
            </thead>
            <tbody>
              {notes.map(({ code, at, what }, index) => (
                <tr key={index}>
                  <th scope="row">{at}</th>
                  <td>{what}</td>
                  <td>{t(`import.codes.${code}`)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  )
}
