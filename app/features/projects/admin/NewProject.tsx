import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isHalfMoment } from '#app/lib/half-moment.ts'
import { RecordChoice, useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { hubSource } from '#app/shell/admin/record-sources.ts'
import { api } from '#app/shell/api.ts'
import { useSite, useViewer } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { FaultSummary } from '#app/ui/admin/fault-summary.tsx'
import { TextAreaInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { forgetProject, projectTemplatesQuery } from '../projects.queries.ts'
import { type ProjectStart, ProjectStartFields } from './ProjectStart.tsx'

/** Departments that the viewer may give a project to. */
export const OWN_HUBS = hubSource({ mine: true })

/** A new project: what it starts with, its title and its department. The rest is written in its editor. */
export function NewProject() {
  const { t } = useTranslation('admin')
  const { listFaults } = useFaultTexts()
  const site = useSite()
  const anywhere = useViewer()?.roleName === 'site_admin'
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const templates = useSuspenseQuery(projectTemplatesQuery).data
  const [start, setStart] = useState<ProjectStart>({ with: 'nothing' })
  const [title, setTitle] = useState('')
  const [summary, setSummary] = useState('')
  const [opensAt, setOpensAt] = useState<string>()
  const [chosen, setChosen] = useState<string | null>(null)
  const { first } = useFirstRecord(OWN_HUBS, !anywhere)
  const hub = chosen ?? (anywhere ? null : (first?.id ?? null))
  const findTitles = (from: ProjectStart) => (from.with === 'template' ? templates.find(({ id }) => id === from.id)?.titles : undefined)
  const changeStart = (next: ProjectStart) => {
    const titleOf = (from: ProjectStart) => findTitles(from)?.[site.locale] ?? ''
    // Follows the template's title unless the user typed one.
    if (title === '' || title === titleOf(start)) setTitle(titleOf(next))
    setStart(next)
  }
  const create = useMutation({
    mutationFn: () => {
      const titles = findTitles(start)
      return api.create('projects', {
        attributes: {
          // The template's own title comes with translations; another title has none yet.
          titleTranslations: titles?.[site.locale] === title.trim() ? titles : { [site.locale]: title },
          ...(start.with === 'nothing' && { summaryTranslations: { [site.locale]: summary } }),
          ...(start.with === 'template' && { template: start.id }),
          ...(start.with === 'copy' && { copyOf: start.id, copyParts: [...start.parts] }),
          ...(start.with !== 'nothing' && opensAt && { opensAt }),
        },
        relationships: { hub: hub === null ? null : { type: 'hubs', id: hub } },
      })
    },
    onSuccess: async ({ data }) => {
      await forgetProject(queryClient)
      await navigate({ to: '/admin/projects/$id', params: { id: data.id } })
    },
  })
  const faults = listFaults(create.error)
  return (
    <form
      noValidate
      className="admin-form"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <PageHeader title={t('projects.new')} meta={t('projects.new-text')} />
      <FaultSummary title={t('editor.problem')} errors={faults.map(({ message }) => ({ id: 'title', message }))} />
      <ProjectStartFields start={start} onChange={changeStart} opensAt={opensAt} onOpensAtChange={setOpensAt} />
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
      {start.with === 'nothing' && (
        <TextAreaInput
          name="summary"
          label={t('fields.summaryTranslations')}
          language={site.locale}
          value={summary}
          onChange={setSummary}
          rows={3}
        />
      )}
      <RecordChoice
        name="hub"
        label={t('fields.hub')}
        source={OWN_HUBS}
        value={hub}
        {...(anywhere ? { none: t('editor.no-hub') } : {})}
        onChange={setChosen}
      />
      <div>
        <Button
          type="submit"
          pending={create.isPending}
          disabled={start.with !== 'nothing' && opensAt !== undefined && isHalfMoment(opensAt)}
        >
          {t('projects.create')}
        </Button>
      </div>
    </form>
  )
}
