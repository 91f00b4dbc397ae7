import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAppError } from '#app/lib/app-error.ts'
import { faultTitle } from '#app/lib/fault-title.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { forgetSurvey, surveyProjectsQuery } from '../../surveys.queries.ts'

/** The least a survey needs: a title and the project it belongs to. */
export function NewSurvey({ project: asked }: { project: string | undefined }) {
  const { t } = useTranslation('survey-admin')
  const { t: errors } = useTranslation('errors')
  const site = useSite()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const projects = useSuspenseQuery(surveyProjectsQuery).data
  const [title, setTitle] = useState('')
  const [project, setProject] = useState(projects.find(({ id }) => id === asked)?.id ?? projects[0]?.id ?? '')
  const create = useMutation({
    mutationFn: () =>
      api.create('surveys', {
        attributes: { titleTranslations: { [site.locale]: title } },
        relationships: { project: { type: 'projects', id: project } },
      }),
    onSuccess: async ({ data }) => {
      await forgetSurvey(queryClient)
      await navigate({ to: '/admin/surveys/$survey', params: { survey: data.id } })
    },
  })
  const faults = isAppError(create.error) ? create.error.faults : create.error ? [{ code: 'internal' as const }] : []
  if (projects.length === 0) return <EmptyState title={t('new.no-project')}>{t('new.no-project-text')}</EmptyState>
  return (
    <form
      noValidate
      className="admin-form"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <PageHeader title={t('list.new')} meta={t('new.text')} />
      <ErrorSummary title={t('problem')} errors={faults.map((fault) => ({ id: 'title', message: errors(...faultTitle(fault)) }))} />
      <TextInput
        name="title"
        label={t('fields.titleTranslations')}
        language={site.locale}
        value={title}
        onChange={setTitle}
        required
        maxLength={200}
      />
      <SelectInput
        name="project"
        label={t('list.project')}
        value={project}
        onChange={setProject}
        options={projects.map((one) => ({ value: one.id, label: one.title }))}
      />
      <div>
        <Button type="submit" pending={create.isPending}>
          {t('new.create')}
        </Button>
      </div>
    </form>
  )
}
