import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useSite, useViewer } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { FaultSummary } from '#app/ui/admin/fault-summary.tsx'
import { SelectInput, TextAreaInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { forgetProject, projectPlacesQuery } from '../projects.queries.ts'

const NONE = 'none'

/** The minimum a project needs; the rest is written in its editor. */
export function NewProject() {
  const { t } = useTranslation('admin')
  const { listFaults } = useFaultTexts()
  const site = useSite()
  const anywhere = useViewer()?.roleName === 'site_admin'
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const hubs = useSuspenseQuery(projectPlacesQuery).data.hubs.filter((hub) => hub.meta.can.createProject)
  const [title, setTitle] = useState('')
  const [summary, setSummary] = useState('')
  const [hub, setHub] = useState(anywhere ? NONE : (hubs[0]?.id ?? NONE))
  const create = useMutation({
    mutationFn: () =>
      api.create('projects', {
        attributes: { titleTranslations: { [site.locale]: title }, summaryTranslations: { [site.locale]: summary } },
        relationships: { hub: hub === NONE ? null : { type: 'hubs', id: hub } },
      }),
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
      <TextAreaInput
        name="summary"
        label={t('fields.summaryTranslations')}
        language={site.locale}
        value={summary}
        onChange={setSummary}
        rows={3}
      />
      <SelectInput
        name="hub"
        label={t('fields.hub')}
        value={hub}
        onChange={setHub}
        options={[
          ...(anywhere ? [{ value: NONE, label: t('editor.no-hub') }] : []),
          ...hubs.map((one) => ({ value: one.id, label: one.title })),
        ]}
      />
      <div>
        <Button type="submit" pending={create.isPending}>
          {t('projects.create')}
        </Button>
      </div>
    </form>
  )
}
