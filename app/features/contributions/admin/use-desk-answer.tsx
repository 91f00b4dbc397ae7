import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasText } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { deskAnswerQuery, forgetContributions } from '../contributions.queries.ts'
import { askForAnswers, sendToSeveral } from '../desk/desk.functions.ts'
import type { ChosenOnDesk } from '../desk/desk-search.ts'
import { AnswerFields, type AnswerTexts, useMissingTexts } from './answer-fields.tsx'

/** Stands for the status that each has. */
const KEEP = ''
const NO_TEXTS: AnswerTexts = { textTranslations: {}, teamTranslations: {} }

/**
 * Gives the chosen contributions, or all that a list shows, the same official answer, or only a status: a button for the table's bar, and the
 * dialog. A job sends it: the list shows how far it is.
 */
export function useDeskAnswer(chosen: ChosenOnDesk, onEnd: () => void): { action: ReactNode; dialog: ReactNode } {
  const { t } = useTranslation('contributions-admin')
  const [isOpen, setOpen] = useState(false)
  return {
    action: (
      <Button kind="secondary" size="small" onClick={() => setOpen(true)}>
        {t('desk.answer.open')}
      </Button>
    ),
    dialog: isOpen && <AnswerDialog chosen={chosen} onClose={() => setOpen(false)} onEnd={onEnd} />,
  }
}

interface AnswerDialogProps {
  chosen: ChosenOnDesk
  onClose: () => void
  onEnd: () => void
}

function AnswerDialog({ chosen, onClose, onEnd }: AnswerDialogProps) {
  const { t } = useTranslation('contributions-admin')
  const { t: moderation } = useTranslation('moderation-admin')
  const { t: admin } = useTranslation('admin')
  const { describeError } = useFaultTexts()
  const format = useFormat()
  const queryClient = useQueryClient()
  // Sent again after the network failed, it is the same one.
  const [id] = useState(createId)
  const [status, setStatus] = useState(KEEP)
  const [fields, setFields] = useState(NO_TEXTS)
  const [failure, setFailure] = useState<unknown>()
  const plan = useQuery(deskAnswerQuery(chosen))
  const missing = useMissingTexts({ text: fields.textTranslations, team: fields.teamTranslations })
  const words = useEditorTexts(failure)
  const { ids = [], unfit = 0, statuses = [], needsAgreement = false } = plan.data ?? {}
  const needsText = status === KEEP || (statuses.find(({ id }) => id === status)?.needsText ?? false)
  const what = (count: number) => moderation('cases.texts', { count, number: format.number(count) })
  const asks = needsAgreement && hasText(fields.textTranslations)
  const send = async () => {
    setFailure(undefined)
    const data = { id, ids, status: status === KEEP ? null : status, ...fields, waived: [...missing.waived] }
    try {
      await (asks ? askForAnswers({ data }) : sendToSeveral({ data }))
    } catch (error) {
      // What was written stays in the dialog, to be corrected and sent again.
      setFailure(error)
      return
    }
    showToast({ text: asks ? t('draft.asked-now') : t('answer-sets.begun', { what: what(ids.length) }) })
    onClose()
    onEnd()
    await forgetContributions(queryClient)
  }
  return (
    <ConfirmDialog
      title={plan.data ? t('desk.answer.title', { what: what(ids.length) }) : t('desk.bulk.counting')}
      isOpen
      onClose={onClose}
      onConfirm={send}
      confirmLabel={t(asks ? 'draft.ask' : 'desk.answer.yes')}
      cancelLabel={admin('confirm.cancel')}
      confirmDisabled={ids.length === 0 || missing.isOpen || (needsText && !hasText(fields.textTranslations))}
    >
      {plan.isError && <Notice kind="error" title={describeError(plan.error)} />}
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <p>{t('desk.answer.text')}</p>
      {unfit > 0 && <p>{t('desk.bulk.unfit', { count: unfit, number: format.number(unfit) })}</p>}
      <SelectInput
        name="status"
        id="many-status"
        label={t('answer.status')}
        hint={t('desk.answer.status-hint')}
        value={status}
        onChange={setStatus}
        options={[{ value: KEEP, label: t('desk.answer.keep') }, ...statuses.map(({ id, title }) => ({ value: id, label: title }))]}
      />
      {needsAgreement && <Notice title={t('desk.answer.needs-agreement')} />}
      <AnswerFields fields={fields} onChange={setFields} isPublic words={words} prefix="many-" />
      {missing.choice}
    </ConfirmDialog>
  )
}
