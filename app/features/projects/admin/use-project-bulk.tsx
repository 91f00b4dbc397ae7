import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordChoice } from '#app/shell/admin/record-choice.tsx'
import { hubSource } from '#app/shell/admin/record-sources.ts'
import { api } from '#app/shell/api.ts'
import { BulkDialog } from '#app/shell/bulk-dialog.tsx'
import { useViewer } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { CheckInput, SelectInput } from '#app/ui/admin/inputs.tsx'
import { Menu } from '#app/ui/admin/menu.tsx'
import type { ChosenRows } from '#app/ui/admin/row-selection.tsx'
import { forgetProject, projectTopicsQuery, type projectTableQuery } from '../projects.queries.ts'

export type ProjectTableRow = Awaited<ReturnType<NonNullable<ReturnType<typeof projectTableQuery>['queryFn']>>>['data'][number]

const STEPS = ['publish', 'review', 'withdraw', 'archive', 'bring-back', 'move', 'topic'] as const
type Step = (typeof STEPS)[number]

const HUBS = hubSource({ mine: true })
const NONE = 'none'

/** Bulk actions for the selected projects: a menu for the table's bar, and the confirmation dialog. */
export function useProjectBulk(chosen: ChosenRows<ProjectTableRow>): { actions: ReactNode; dialog: ReactNode } {
  const { t } = useTranslation('admin')
  const { t: errors } = useTranslation('errors')
  const format = useFormat()
  const queryClient = useQueryClient()
  const viewer = useViewer()
  const topics = useSuspenseQuery(projectTopicsQuery).data
  // Without a department a project belongs to the whole site, so only site administrators may choose that.
  const isSiteAdmin = viewer?.roleName === 'site_admin'
  const [step, setStep] = useState<Step>()
  const [target, setTarget] = useState<string>()
  const [waive, setWaive] = useState(false)

  const explainRefusal = (row: ProjectTableRow, what: Step): string | undefined => {
    const { status, meta, relationships } = row
    const before = status === 'draft' || status === 'in_review' || status === 'scheduled'
    const forbiddenUnless = (may: boolean) => (may ? undefined : errors('codes.forbidden'))
    switch (what) {
      case 'publish':
        return before ? forbiddenUnless(meta.can.publish) : errors('codes.already-published')
      case 'review':
        if (!before) return errors('codes.already-published')
        if (status !== 'draft') return t('bulk.already')
        return meta.can.publish ? t('bulk.may-publish') : forbiddenUnless(meta.can.requestReview)
      case 'withdraw':
        if (!before) return errors('codes.already-published')
        if (status === 'in_review' && meta.can.publish) return t('bulk.return-with-reason')
        return status === 'draft' ? t('bulk.already') : forbiddenUnless(meta.can.requestReview)
      case 'archive':
        if (status === 'archived') return t('bulk.already')
        return before ? errors('codes.not-published') : forbiddenUnless(meta.can.publish)
      case 'bring-back':
        return status === 'archived' ? forbiddenUnless(meta.can.publish) : t('bulk.not-archived')
      case 'move':
      case 'topic': {
        const current = (what === 'move' ? relationships.hub : relationships.topic)?.id ?? NONE
        return current === target ? t('bulk.already') : forbiddenUnless(meta.can.update)
      }
    }
  }

  const performStep = async ({ id, meta }: ProjectTableRow, what: Step): Promise<void> => {
    const { lockVersion } = meta
    const to = target === undefined || target === NONE ? undefined : target
    if (what === 'archive') await api.createRelated('projects', id, 'archivals', { type: 'archivals' })
    else if (what === 'bring-back') await api.remove('archivals', id)
    else if (what === 'withdraw') await api.remove('publications', id)
    else if (what === 'move')
      await api.update('projects', id, { relationships: { hub: to === undefined ? null : { type: 'hubs', id: to } } }, { lockVersion })
    else if (what === 'topic')
      await api.update('projects', id, { relationships: { topic: to === undefined ? null : { type: 'topics', id: to } } }, { lockVersion })
    else await api.createRelated('projects', id, 'publications', { type: 'publications', attributes: { waiveTranslations: waive } })
  }

  const topicOptions = [...topics.map(({ id, title }) => ({ value: id, label: title })), { value: NONE, label: t('editor.no-topic') }]
  const offered = STEPS.filter((what) => {
    return what === 'move' || what === 'topic'
      ? chosen.rows.some((row) => row.meta.can.update)
      : chosen.rows.some((row) => explainRefusal(row, what) === undefined)
  })
  const formatProjectCount = (count: number) => t('bulk.projects', { count, number: format.number(count) })

  return {
    actions: offered.length > 0 && (
      <Menu
        label={t('bulk.actions')}
        look={{ kind: 'secondary', size: 'small' }}
        groups={[
          offered.map((each) => ({
            id: each,
            label: t(`bulk.${each}.open`),
            onAction: () => {
              setTarget(each === 'topic' ? topicOptions[0]?.value : isSiteAdmin ? NONE : undefined)
              setWaive(false)
              setStep(each)
            },
          })),
        ]}
      />
    ),
    dialog: step && (
      <BulkDialog
        rows={chosen.rows}
        nameOf={(row) => row.title}
        refuse={(row) => explainRefusal(row, step)}
        act={(row) => performStep(row, step)}
        title={(count) => t(`bulk.${step}.title`, { what: formatProjectCount(count) })}
        text={t(`bulk.${step}.text`)}
        confirmLabel={t(`bulk.${step}.yes`)}
        done={(count) => t(`bulk.${step}.done`, { what: formatProjectCount(count) })}
        ready={step !== 'move' || target !== undefined}
        onEnd={(failed) => {
          chosen.onChange(new Set(failed.map((row) => row.id)))
          void forgetProject(queryClient)
          void queryClient.invalidateQueries({ queryKey: ['projects', 'one'] })
        }}
        onClose={() => setStep(undefined)}
      >
        {step === 'move' && (
          <RecordChoice
            name="target"
            label={t('fields.hub')}
            source={HUBS}
            value={target === undefined || target === NONE ? null : target}
            {...(isSiteAdmin ? { none: t('editor.no-hub') } : {})}
            onChange={(hub) => setTarget(hub ?? NONE)}
          />
        )}
        {step === 'topic' && (
          <SelectInput name="target" label={t('fields.topic')} value={target ?? NONE} onChange={setTarget} options={topicOptions} />
        )}
        {step === 'publish' && <CheckInput name="waive" label={t('bulk.publish.waive')} value={waive} onChange={setWaive} />}
      </BulkDialog>
    ),
  }
}
