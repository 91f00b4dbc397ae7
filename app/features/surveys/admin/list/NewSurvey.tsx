import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { RecordChoice } from '#app/shell/admin/record-choice.tsx'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { FaultSummary } from '#app/ui/admin/fault-summary.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { invalidateSurvey, surveyQuery } from '../../surveys.queries.ts'
import { SURVEY_TEMPLATES } from '../../templates/templates.ts'
import { copySurvey } from '../editor/copy-survey.ts'
import { StartingPointField, type StartingPoint } from './StartingPointField.tsx'
import { OWN_PROJECTS, useProjectChoice } from './use-project-choice.ts'

/** A new survey: its title, its project, and its starting point. */
export function NewSurvey({ project: asked }: { project: { id: string; title: string } | undefined }) {
  const { t } = useTranslation('survey-admin')
  const { listFaults } = useFaultTexts()
  const site = useSite()
  const language = useLanguage()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [title, setTitle] = useState('')
  const { project, setProject, hasNone } = useProjectChoice(asked)
  const [beginning, setBeginning] = useState<StartingPoint>({ with: 'nothing' })
  const create = useMutation({
    mutationFn: async () => {
      if (project === null) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/project' }] })
      if (beginning.with === 'survey') {
        const original = await queryClient.fetchQuery(surveyQuery(beginning.id))
        return copySurvey(original.data, { project, title: { [site.locale]: title } })
      }
      const template = beginning.with === 'template' ? SURVEY_TEMPLATES.find(({ id }) => id === beginning.id) : undefined
      const { data } = await api.create('surveys', {
        attributes: {
          // The template's own title comes with translations; another title has none yet.
          titleTranslations: template && Object.values(template.title).includes(title.trim()) ? template.title : { [site.locale]: title },
          ...(template && { introTranslations: template.intro, minutes: template.minutes, definition: template.definition }),
        },
        relationships: { project: { type: 'projects', id: project } },
      })
      return data.id
    },
    onSuccess: async (id) => {
      await invalidateSurvey(queryClient)
      await navigate({ to: '/admin/surveys/$survey', params: { survey: id } })
    },
  })
  const faults = listFaults(create.error)
  const changeStartingPoint = (next: StartingPoint) => {
    const titleOf = (from: StartingPoint) =>
      from.with === 'template' ? getTranslation(SURVEY_TEMPLATES.find(({ id }) => id === from.id)?.title, site.locale, site.locale) : ''
    // Follow the starting point's title unless the user typed one.
    if (title === '' || title === titleOf(beginning)) setTitle(titleOf(next))
    setBeginning(next)
  }
  if (hasNone) return <EmptyState title={t('new.no-project')}>{t('new.no-project-text')}</EmptyState>
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
      <FaultSummary title={t('problem')} errors={faults.map(({ message }) => ({ id: 'title', message }))} />
      <StartingPointField beginning={beginning} onChange={changeStartingPoint} language={language} />
      <TextInput
        name="title"
        label={t('fields.titleTranslations')}
        language={site.locale}
        value={title}
        onChange={setTitle}
        error={faults[0]?.message}
        required
        maxLength={200}
      />
      <RecordChoice name="project" label={t('list.project')} source={OWN_PROJECTS} value={project} onChange={setProject} />
      <div>
        <Button type="submit" pending={create.isPending}>
          {t('new.create')}
        </Button>
      </div>
    </form>
  )
}
