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
import { ProgressBar } from '#app/ui/progress-bar.tsx'
import { deskAnswerQuery, forgetContributions } from '../contributions.queries.ts'
import { answerMany, askForAnswers } from '../desk/desk.functions.ts'
import { type ChosenOnDesk, DESK_BULK_SIZE } from '../desk/desk-search.ts'
import { AnswerFields, type AnswerTexts, useMissingTexts } from './answer-fields.tsx'

/** Stands for the status that each has. */
const KEEP = ''
const NO_TEXTS: AnswerTexts = { textTranslations: {}, teamTranslations: {} }

/**
 * Gives the chosen contributions, or all that a list shows, the same official answer, or only a status: a button for the table's bar, and the
 * dialog. They are sent in parts; one that was sent once is not answered again when the rest is tried again.
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
  const [group] = useState(createId)
  const [status, setStatus] = useState(KEEP)
  const [fields, setFields] = useState(NO_TEXTS)
  const [at, setAt] = useState<number>()
  const [failure, setFailure] = useState<unknown>()
  const plan = useQuery(deskAnswerQuery(chosen))
  const missing = useMissingTexts({ text: fields.textTranslations, team: fields.teamTranslations })
  const words = useEditorTexts(failure)
  const { ids = [], unfit = 0, statuses = [], needsAgreement = false } = plan.data ?? {}
  const needsText = status === KEEP || (statuses.find(({ id }) => id === status)?.needsText ?? false)
  const what = (count: number) => moderation('cases.texts', { count, number: format.number(count) })
  const asks = needsAgreement && hasText(fields.textTranslations)
  const ask = async () => {
    setFailure(undefined)
    try {
      await askForAnswers({
        data: { id: group, ids, status: status === KEEP ? null : status, ...fields, waived: [...missing.waived] },
      })
    } catch (error) {
      setFailure(error)
      return
    }
    showToast({ text: t('draft.asked-now') })
    onClose()
    onEnd()
    await forgetContributions(queryClient)
  }
  const send = async () => {
    let left = 0
    setFailure(undefined)
    try {
      for (let from = 0; from < ids.length; from += DESK_BULK_SIZE) {
        setAt(from)
        const part = ids.slice(from, from + DESK_BULK_SIZE)
        const made = await answerMany({
          data: { ids: part, group, status: status === KEEP ? null : status, ...fields, waived: missing.waived },
        })
        left += made.left
      }
    } catch (error) {
      // What was written stays in the dialog, to be mended and sent again.
      setFailure(error)
      setAt(undefined)
      return
    }
    showToast({ text: t('desk.answer.done', { what: what(ids.length - left) }) })
    if (left > 0) showToast({ text: t('desk.answer.left', { count: left, number: format.number(left) }) })
    onClose()
    onEnd()
    await forgetContributions(queryClient)
  }
  return (
    <ConfirmDialog
      title={plan.data ? t('desk.answer.title', { what: what(ids.length) }) : t('desk.bulk.counting')}
      isOpen
      onClose={onClose}
      onConfirm={asks ? ask : send}
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
        label={t('answer.status')}
        hint={t('desk.answer.status-hint')}
        value={status}
        onChange={setStatus}
        options={[{ value: KEEP, label: t('desk.answer.keep') }, ...statuses.map(({ id, title }) => ({ value: id, label: title }))]}
      />
      {needsAgreement && <Notice title={t('desk.answer.needs-agreement')} />}
      <AnswerFields fields={fields} onChange={setFields} isPublic words={words} prefix="many-" />
      {missing.choice}
      {at !== undefined && (
        <ProgressBar label={admin('bulk.progress', { at: format.number(at), of: format.number(ids.length) })} value={at} max={ids.length} />
      )}
    </ConfirmDialog>
  )
}
