import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { Menu, type MenuAction } from '#app/ui/admin/menu.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { invalidateSurvey } from '../../surveys.queries.ts'
import { copySurvey } from './copy-survey.ts'
import type { Survey, SurveyDraft } from './survey-draft.ts'

type Step = 'archive' | 'remove' | 'close' | 'reopen'

/** @param change changes the editor's draft: opening and closing are times in it, so that undo takes them back */
interface SurveyMenuProps {
  survey: Survey
  draft: Pick<SurveyDraft, 'closesAt'>
  change: (next: Pick<SurveyDraft, 'closesAt'>) => void
}

/** Actions on the whole survey. */
export function SurveyMenu({ survey, draft, change }: SurveyMenuProps) {
  const { t } = useTranslation('survey-admin')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [step, setStep] = useState<Step>()
  const { id, status, meta } = survey
  const project = survey.relationships.project
  const act = useMutation({
    mutationFn: async (what: 'archive' | 'remove' | 'bring-back' | 'duplicate'): Promise<string | undefined> => {
      if (what === 'archive') await api.create('survey-archivals', { relationships: { survey: { type: 'surveys', id } } })
      if (what === 'bring-back') await api.remove('survey-archivals', id)
      if (what === 'remove') await api.remove('surveys', id)
      return what === 'duplicate' ? copySurvey(survey, {}) : undefined
    },
    onSuccess: async (copy, what) => {
      setStep(undefined)
      showToast({ text: t(`menu.done.${what}`) })
      await invalidateSurvey(queryClient, what === 'remove' ? undefined : id)
      if (what === 'remove') await navigate({ to: '/admin/surveys' })
      if (copy) await navigate({ to: '/admin/surveys/$survey', params: { survey: copy } })
    },
  })
  const actions: MenuAction[] = [
    ...(meta.can.update
      ? [{ id: 'duplicate', label: t('menu.duplicate'), icon: 'copy' as const, onAction: () => act.mutate('duplicate') }]
      : []),
    ...(survey.state === 'open' && meta.can.update ? [{ id: 'close', label: t('menu.close'), onAction: () => setStep('close') }] : []),
    // A survey that its project closed has no time of its own to take away.
    ...(survey.state === 'closed' && draft.closesAt !== null && meta.can.update
      ? [{ id: 'reopen', label: t('menu.reopen'), onAction: () => setStep('reopen') }]
      : []),
    ...(status === 'published' && meta.can.publish
      ? [{ id: 'archive', label: t('menu.archive'), icon: 'archive' as const, onAction: () => setStep('archive') }]
      : []),
    ...(status === 'archived' && meta.can.publish
      ? [{ id: 'bring-back', label: t('menu.bring-back'), onAction: () => act.mutate('bring-back') }]
      : []),
    ...(meta.can.remove && survey.responses === 0
      ? [{ id: 'remove', label: t('menu.remove'), icon: 'trash' as const, danger: true, onAction: () => setStep('remove') }]
      : []),
  ]
  if (actions.length === 0) return null
  const confirm = async (confirmed: Step): Promise<void> => {
    if (confirmed === 'archive' || confirmed === 'remove') {
      await act.mutateAsync(confirmed).catch(() => undefined)
      return
    }
    change({ closesAt: confirmed === 'close' ? getThisMinute() : null })
    setStep(undefined)
  }
  return (
    <>
      <Menu label={t('menu.more')} look={{ kind: 'secondary' }} groups={[actions]} />
      {!step && <Refusal error={act.error} />}
      {step && (
        <ConfirmDialog
          title={t(`menu.${step}-title`)}
          isOpen
          onClose={() => {
            setStep(undefined)
            act.reset()
          }}
          onConfirm={() => confirm(step)}
          confirmLabel={t(`menu.${step}-yes`)}
          cancelLabel={t('cancel')}
          danger={step === 'remove'}
        >
          <p>{t(`menu.${step}-text`, { title: survey.title })}</p>
          {step === 'close' && project && (
            <p>
              {t('menu.close-project')}{' '}
              <Link to="/admin/projects/$id" params={{ id: project.id }} target="_blank">
                {t('menu.close-project-link')}
              </Link>
            </p>
          )}
          <Refusal error={act.error} />
        </ConfirmDialog>
      )}
    </>
  )
}

/** Start of the present minute, which is what the field for the time can show. */
const getThisMinute = () => new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString()
