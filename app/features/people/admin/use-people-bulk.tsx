import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordChoice, useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { groupSource, projectSource } from '#app/shell/admin/record-sources.ts'
import { api } from '#app/shell/api.ts'
import { BulkDialog } from '#app/shell/bulk-dialog.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { Menu } from '#app/ui/admin/menu.tsx'
import type { ChosenRows } from '#app/ui/admin/row-selection.tsx'
import { invalidatePeople, type peopleQuery } from '#app/features/accounts/people.queries.ts'

export type PeopleTableRow = Awaited<ReturnType<NonNullable<ReturnType<typeof peopleQuery>['queryFn']>>>['data'][number]

const GROUPS = groupSource({ byHand: true })
const PROJECTS = projectSource({ managed: true })
type Step = 'add' | 'take-out' | 'invite' | 'block' | 'unblock'

/**
 * Bulk actions for the selected people: a menu for the selection bar, and a confirmation dialog.
 * @param file the search of the table's file, which a file of the selected people has too
 */
export function usePeopleBulk(chosen: ChosenRows<PeopleTableRow>, file: string): { actions: ReactNode; dialog: ReactNode } {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const { t: errors } = useTranslation('errors')
  const format = useFormat()
  const queryClient = useQueryClient()
  const { first, total: groups = 0 } = useFirstRecord(GROUPS)
  const { first: firstProject, total: projects = 0 } = useFirstRecord(PROJECTS)
  const [step, setStep] = useState<Step>()
  const [group, setGroup] = useState('')
  const [project, setProject] = useState('')
  const [reason, setReason] = useState('')

  const findRefusal = ({ status, meta }: PeopleTableRow, what: Step): string | undefined => {
    if (what === 'add' || what === 'take-out') return undefined
    if (what === 'invite') return status === 'blocked' ? t('status.blocked') : undefined
    if ((status === 'blocked') === (what === 'block')) return admin('bulk.already')
    return meta.can.block ? undefined : errors('codes.forbidden')
  }

  const applyStep = async ({ id }: PeopleTableRow, what: Step): Promise<string | void> => {
    const user = { type: 'users' as const, id }
    if (what === 'unblock') return api.remove('user-blocks', id)
    if (what === 'invite') {
      await api.create('project-members', { relationships: { project: { type: 'projects', id: project }, user } })
      return undefined
    }
    if (what === 'block') {
      await api.create('user-blocks', { attributes: { reason: reason.trim() }, relationships: { user } })
      return undefined
    }
    const belongs = (await api.links('users', id, 'groups', { page: { size: 100 } })).data.some((joined) => joined.id === group)
    if (belongs === (what === 'add')) return t(`bulk.${what}.nothing`)
    return what === 'add' ? api.addLinks('groups', group, 'people', [user]) : api.removeLinks('groups', group, 'people', [user])
  }

  const isOffered = (what: Step): boolean => {
    if (what === 'add' || what === 'take-out') return groups > 0
    return (what !== 'invite' || projects > 0) && chosen.rows.some((row) => findRefusal(row, what) === undefined)
  }
  const buildActions = (...steps: Step[]) =>
    steps.filter(isOffered).map((each) => ({
      id: each,
      label: t(`bulk.${each}.open`),
      danger: each === 'block',
      onAction: () => {
        setGroup(first?.id ?? '')
        setProject(firstProject?.id ?? '')
        setReason('')
        setStep(each)
      },
    }))
  const download = () => {
    const wanted = new URLSearchParams(file)
    wanted.set('ids', chosen.rows.map(({ id }) => id).join(','))
    // A file, not a page: the browser must fetch it, not the router.
    window.location.assign(`/admin/people.csv?${wanted.toString()}`)
  }
  const formatPeopleCount = (count: number) => t('bulk.people', { count, number: format.number(count) })
  const grouping = step === 'add' || step === 'take-out'

  return {
    actions: (
      <Menu
        label={admin('bulk.actions')}
        look={{ kind: 'secondary', size: 'small' }}
        groups={[
          [
            ...buildActions('add', 'take-out', 'invite'),
            { id: 'export', label: t('bulk.export'), onAction: download },
            ...buildActions('block', 'unblock'),
          ],
        ]}
      />
    ),
    dialog: step && (
      <BulkDialog
        rows={chosen.rows}
        nameOf={(row) => row.login}
        refuse={(row) => findRefusal(row, step)}
        act={(row) => applyStep(row, step)}
        title={(count) => t(`bulk.${step}.title`, { what: formatPeopleCount(count) })}
        text={t(`bulk.${step}.text`)}
        confirmLabel={t(`bulk.${step}.yes`)}
        done={(count) => t(`bulk.${step}.done`, { what: formatPeopleCount(count) })}
        danger={step === 'block'}
        ready={step !== 'block' || reason.trim() !== ''}
        onEnd={(failed) => {
          chosen.onChange(new Set(failed.map((row) => row.id)))
          void invalidatePeople(queryClient)
        }}
        onClose={() => setStep(undefined)}
      >
        {grouping && (
          <RecordChoice
            name="group"
            id="bulk-group"
            label={t('table.group')}
            source={GROUPS}
            value={group}
            onChange={(id) => id !== null && setGroup(id)}
          />
        )}
        {step === 'invite' && (
          <RecordChoice
            name="project"
            id="bulk-project"
            label={t('person.project')}
            source={PROJECTS}
            value={project}
            onChange={(id) => id !== null && setProject(id)}
          />
        )}
        {step === 'block' && (
          <TextAreaInput name="reason" label={t('person.confirm.block.reason')} value={reason} onChange={setReason} required />
        )}
      </BulkDialog>
    ),
  }
}
