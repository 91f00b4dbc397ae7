import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { SelectInput, TextAreaInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { Menu, type MenuAction } from '#app/ui/admin/menu.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { PersonStatus } from '#app/features/accounts/accounts.schema.ts'
import { invalidatePeople, peopleQuery } from '#app/features/accounts/people.queries.ts'

type Step = 'block' | 'unblock' | 'reset' | 'erase' | 'merge'

interface PersonActionsProps {
  person: {
    id: string
    login: string
    email: string
    status: PersonStatus
    meta: { can: { block: boolean; erase: boolean; resetSecondStep: boolean } }
  }
  mayExport: boolean
}

/** Actions on a person. Each explains its consequences first and asks for a reason if one is needed. */
export function PersonActions({ person, mayExport }: PersonActionsProps) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const { describeError } = useFaultTexts()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [step, setStep] = useState<Step>()
  const [reason, setReason] = useState('')
  const [find, setFind] = useState(person.login)
  const [into, setInto] = useState('')
  const { id, meta } = person
  const doubles = (useQuery({ ...peopleQuery(find.trim() ? { q: find.trim() } : {}), enabled: step === 'merge' }).data?.data ?? []).filter(
    (other) => other.id !== id,
  )
  // No default choice: merging cannot be undone.
  const target = doubles.find((other) => other.id === into)
  const user = { type: 'users' as const, id }
  const act = useMutation({
    mutationFn: async (what: Step) => {
      if (what === 'unblock') return api.remove('user-blocks', id)
      if (what === 'reset') return void (await api.create('second-step-resets', { relationships: { user } }))
      if (what === 'block') return void (await api.create('user-blocks', { attributes: { reason }, relationships: { user } }))
      if (what === 'erase') return void (await api.create('account-deletions', { attributes: { reason }, relationships: { user } }))
      return void (await api.create('user-merges', { relationships: { from: user, into: { type: 'users', id: target?.id ?? '' } } }))
    },
    onSuccess: async (_, what) => {
      setStep(undefined)
      setReason('')
      showToast({ text: t(`person.done.${what}`) })
      if (what === 'erase') await navigate({ to: '/admin/people' })
      if (what === 'merge' && target) await navigate({ to: '/admin/people/$id', params: { id: target.id } })
      await invalidatePeople(queryClient)
    },
  })
  const openStep = (next: Step) => {
    setReason('')
    setInto('')
    setFind(person.login)
    setStep(next)
  }
  const actions: MenuAction[] = [
    ...(meta.can.block && person.status !== 'blocked'
      ? [{ id: 'block', label: t('person.block'), onAction: () => openStep('block') }]
      : []),
    ...(meta.can.block && person.status === 'blocked'
      ? [{ id: 'unblock', label: t('person.unblock'), onAction: () => openStep('unblock') }]
      : []),
    ...(meta.can.resetSecondStep ? [{ id: 'reset', label: t('person.reset'), onAction: () => openStep('reset') }] : []),
    // A file, not a page: the browser must fetch it, not the router.
    ...(mayExport
      ? [{ id: 'export', label: t('person.export'), onAction: () => window.location.assign(`/admin/people/${id}/data.json`) }]
      : []),
    ...(meta.can.erase ? [{ id: 'merge', label: t('person.merge'), onAction: () => openStep('merge') }] : []),
    ...(meta.can.erase
      ? [{ id: 'erase', label: t('person.erase'), icon: 'trash' as const, danger: true, onAction: () => openStep('erase') }]
      : []),
  ]
  if (actions.length === 0) return null
  const needsReason = step === 'block' || step === 'erase'
  return (
    <>
      <Menu label={admin('actions.more')} look={{ kind: 'secondary' }} groups={[actions]} />
      {step && (
        <ConfirmDialog
          title={t(`person.confirm.${step}.title`, { name: person.login })}
          isOpen
          danger={step === 'erase' || step === 'block'}
          onClose={() => {
            setStep(undefined)
            act.reset()
          }}
          onConfirm={() => act.mutateAsync(step).then(undefined, () => undefined)}
          confirmLabel={t(`person.confirm.${step}.yes`)}
          cancelLabel={admin('confirm.cancel')}
          confirmDisabled={(needsReason && !reason.trim()) || (step === 'merge' && !target)}
        >
          <p>{t(`person.confirm.${step}.text`)}</p>
          {needsReason && (
            <TextAreaInput name="reason" label={t(`person.confirm.${step}.reason`)} value={reason} onChange={setReason} required />
          )}
          {step === 'merge' && (
            <>
              <TextInput name="find" type="search" label={t('person.find')} value={find} onChange={setFind} />
              {doubles.length > 0 ? (
                <SelectInput
                  name="into"
                  label={t('person.into')}
                  value={target?.id ?? ''}
                  onChange={setInto}
                  options={[
                    { value: '', label: t('person.choose') },
                    ...doubles.map((other) => ({ value: other.id, label: `${other.login} (${other.email})` })),
                  ]}
                />
              ) : (
                <p>{t('person.no-double')}</p>
              )}
            </>
          )}
          {act.isError && <Notice kind="error" title={describeError(act.error)} />}
        </ConfirmDialog>
      )}
    </>
  )
}
