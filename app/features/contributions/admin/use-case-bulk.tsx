import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ModerationDecision } from '#app/lib/vocabulary/moderation.ts'
import { api } from '#app/shell/api.ts'
import { BulkDialog } from '#app/shell/bulk-dialog.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Menu } from '#app/ui/admin/menu.tsx'
import type { ChosenRows } from '#app/ui/admin/row-selection.tsx'
import { forgetContributions, type QueuedCase } from '../contributions.queries.ts'
import { RuleAndReason } from './RuleInput.tsx'
import { useUndoOffer } from './use-undo-offer.ts'

const STEPS = ['accept', 'refuse', 'hold'] as const
type Step = (typeof STEPS)[number]

/** Decides several cases for one reason: a menu for the table's bar, and the dialog. */
export function useCaseBulk(chosen: ChosenRows<QueuedCase>): { actions: ReactNode; dialog: ReactNode } {
  const { t } = useTranslation('moderation-admin')
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [step, setStep] = useState<Step>()
  const [rule, setRule] = useState('')
  const [reason, setReason] = useState('')
  const offerUndo = useUndoOffer()
  const decisions = useRef<string[]>([])
  const needsReason = step !== 'accept'
  const countTexts = (count: number) => t('cases.texts', { count, number: format.number(count) })
  const explainRefusal = (row: QueuedCase, what: Step): string | undefined => {
    if (row.state !== 'open' || !row.text) return t('cases.already')
    return what === 'hold' && row.text.state !== 'published' ? t('cases.already-held') : undefined
  }
  const decide = async (row: QueuedCase, what: Step): Promise<void> => {
    const { data } = await api.create('moderation-decisions', {
      attributes: { decision: chooseDecision(row, what), ...(what !== 'accept' && { rule, reason }) },
      relationships: { case: { type: 'moderation-cases', id: row.id } },
    })
    decisions.current.push(data.id)
  }
  return {
    actions: (
      <Menu
        label={admin('bulk.actions')}
        look={{ kind: 'secondary', size: 'small' }}
        groups={[STEPS.map((each) => ({ id: each, label: t(`cases.${each}.open`), onAction: () => setStep(each) }))]}
      />
    ),
    dialog: step && (
      <BulkDialog
        rows={chosen.rows}
        nameOf={(row) => row.name}
        refuse={(row) => explainRefusal(row, step)}
        act={(row) => decide(row, step)}
        title={(count) => t(`cases.${step}.title`, { what: countTexts(count) })}
        text={t(`cases.${step}.text`)}
        confirmLabel={t(`cases.${step}.open`)}
        ready={!needsReason || (rule !== '' && reason.trim() !== '')}
        onEnd={(failed) => {
          chosen.onChange(new Set(failed.map((row) => row.id)))
          void forgetContributions(queryClient)
          const made = decisions.current.splice(0)
          if (made.length > 0) offerUndo(t('cases.done', { what: countTexts(made.length) }), made)
        }}
        onClose={() => setStep(undefined)}
      >
        {needsReason && <RuleAndReason rule={rule} onRule={setRule} reason={reason} onReason={setReason} />}
      </BulkDialog>
    ),
  }
}

/** The same wish means something else for what was public and for what never was. */
function chooseDecision({ text, isReply, contribution }: QueuedCase, step: Step): ModerationDecision {
  const isHeld = text?.state === 'held'
  if (step === 'hold') return 'hold'
  if (step === 'accept') return isHeld ? 'publish' : 'keep'
  const wasPublic = isReply ? !isHeld : contribution?.publishedAt !== null
  return wasPublic ? 'remove' : 'decline'
}
