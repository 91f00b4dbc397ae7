import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { Menu } from '#app/ui/admin/menu.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { ProgressBar } from '#app/ui/progress-bar.tsx'
import { deskPlanQuery, forgetContributions } from '../contributions.queries.ts'
import { type ChosenOnDesk, DESK_BULK_SIZE, DESK_STEPS, type DeskStep } from '../desk/desk-search.ts'
import { takeStep } from '../desk/desk.functions.ts'
import { RuleAndReason } from './RuleInput.tsx'
import { useUndoOffer } from './use-undo-offer.ts'

/**
 * Decides about the chosen contributions, or about all that a list shows, for one reason: a menu for the table's bar, and the dialog, which
 * first says how many that is. They are sent in parts; whatever was not sent yet when the page is left stays undecided.
 */
export function useDeskBulk(chosen: ChosenOnDesk, onEnd: () => void): { actions: ReactNode; dialog: ReactNode } {
  const { t } = useTranslation('moderation-admin')
  const { t: admin } = useTranslation('admin')
  const { t: words } = useTranslation('contributions-admin')
  const { describeError } = useFaultTexts()
  const format = useFormat()
  const queryClient = useQueryClient()
  const offerUndo = useUndoOffer()
  const [step, setStep] = useState<DeskStep>()
  const [rule, setRule] = useState('')
  const [reason, setReason] = useState('')
  const [at, setAt] = useState<number>()
  const plan = useQuery({ ...deskPlanQuery(step ?? 'accept', chosen), enabled: step !== undefined })
  const needsReason = step !== 'accept'
  const ids = plan.data?.ids ?? []
  const unfit = plan.data?.unfit ?? 0
  const countTexts = (count: number) => t('cases.texts', { count, number: format.number(count) })
  const close = () => {
    setStep(undefined)
    setAt(undefined)
  }
  const decide = async (what: DeskStep) => {
    const decisions: string[] = []
    let left = 0
    try {
      for (let from = 0; from < ids.length; from += DESK_BULK_SIZE) {
        setAt(from)
        const part = ids.slice(from, from + DESK_BULK_SIZE)
        const made = await takeStep({ data: { ids: part, step: what, ...(what !== 'accept' && { rule, reason }) } })
        decisions.push(...made.decisions)
        left += made.left
      }
    } catch (error) {
      showToast({ kind: 'error', text: describeError(error) })
    }
    if (decisions.length > 0) offerUndo(t('cases.done', { what: countTexts(decisions.length) }), decisions)
    if (left > 0) showToast({ text: words('desk.bulk.left', { count: left, number: format.number(left) }) })
    close()
    onEnd()
    await forgetContributions(queryClient)
  }
  return {
    actions: (
      <Menu
        label={admin('bulk.actions')}
        look={{ kind: 'secondary', size: 'small' }}
        groups={[DESK_STEPS.map((each) => ({ id: each, label: t(`cases.${each}.open`), onAction: () => setStep(each) }))]}
      />
    ),
    dialog: step && (
      <ConfirmDialog
        title={plan.data ? t(`cases.${step}.title`, { what: countTexts(ids.length) }) : words('desk.bulk.counting')}
        isOpen
        onClose={close}
        onConfirm={() => decide(step)}
        confirmLabel={t(`cases.${step}.open`)}
        cancelLabel={admin('confirm.cancel')}
        confirmDisabled={ids.length === 0 || (needsReason && (rule === '' || reason.trim() === ''))}
      >
        {plan.isError && <Notice kind="error" title={describeError(plan.error)} />}
        <p>{t(`cases.${step}.text`)}</p>
        {unfit > 0 && <p>{words('desk.bulk.unfit', { count: unfit, number: format.number(unfit) })}</p>}
        {needsReason && <RuleAndReason rule={rule} onRule={setRule} reason={reason} onReason={setReason} />}
        {at !== undefined && (
          <ProgressBar
            label={admin('bulk.progress', { at: format.number(at), of: format.number(ids.length) })}
            value={at}
            max={ids.length}
          />
        )}
      </ConfirmDialog>
    ),
  }
}
