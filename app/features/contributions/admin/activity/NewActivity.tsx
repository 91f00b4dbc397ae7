import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { FaultSummary } from '#app/ui/admin/fault-summary.tsx'
import { SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { forgetContributions } from '../../contributions.queries.ts'
import { ACTIVITY_KINDS, type ActivityKind } from '../../kinds/kinds.ts'

/** The minimum an activity needs; the rest is set on its page. */
export function NewActivity({ project }: { project: { id: string; title: string } }) {
  const { t } = useTranslation('contributions-admin')
  const { t: admin } = useTranslation('admin')
  const { listFaults } = useFaultTexts()
  const site = useSite()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [kind, setKind] = useState<ActivityKind>(ACTIVITY_KINDS[0] ?? 'ideas')
  const [title, setTitle] = useState('')
  const create = useMutation({
    mutationFn: () =>
      api.create('activities', {
        attributes: { kind, titleTranslations: { [site.locale]: title } },
        relationships: { project: { type: 'projects', id: project.id } },
      }),
    onSuccess: async ({ data }) => {
      await forgetContributions(queryClient)
      await navigate({ to: '/admin/projects/$id/activities/$activity', params: { id: project.id, activity: data.id } })
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
      <PageHeader
        title={t('activities.add')}
        meta={
          <Link to="/admin/projects/$id" params={{ id: project.id }} hash="activities">
            {project.title}
          </Link>
        }
      />
      <p>{t('activity.new-text')}</p>
      <FaultSummary title={admin('editor.problem')} errors={faults.map(({ message }) => ({ id: 'title', message }))} />
      <SelectInput
        name="kind"
        label={t('activities.kind')}
        hint={t(`activity.kinds.${kind}`)}
        value={kind}
        onChange={setKind}
        options={ACTIVITY_KINDS.map((value) => ({ value, label: t(`kind-names.${value}`) }))}
      />
      <TextInput
        name="title"
        label={t('activity.names.titleTranslations')}
        language={site.locale}
        value={title}
        onChange={setTitle}
        error={faults[0]?.message}
        required
        maxLength={140}
      />
      <div>
        <Button type="submit" pending={create.isPending}>
          {t('activity.create')}
        </Button>
      </div>
    </form>
  )
}
