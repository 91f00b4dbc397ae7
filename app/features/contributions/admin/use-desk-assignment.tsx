import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { ProgressBar } from '#app/ui/progress-bar.tsx'
import { deskAssignmentQuery, forgetContributions } from '../contributions.queries.ts'
import { type ChosenOnDesk, DESK_BULK_SIZE } from '../desk/desk-search.ts'
import { assignMany } from '../desk/desk.functions.ts'

const NOBODY = 'nobody'

/** Assigns the chosen contributions, or all that a list shows, to a colleague: a button for the table's bar, and the dialog. They are sent in parts. */
export function useDeskAssignment(chosen: ChosenOnDesk, onEnd: () => void): { action: ReactNode; dialog: ReactNode } {
  const { t: texts } = useTranslation('moderation-admin')
  const { t: admin } = useTranslation('admin')
  const { t } = useTranslation('contributions-admin')
  const { describeError } = useFaultTexts()
  const format = useFormat()
  const queryClient = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [assignee, setAssignee] = useState('')
  const [at, setAt] = useState<number>()
  const plan = useQuery({ ...deskAssignmentQuery(chosen), enabled: isOpen })
  const { ids = [], unfit = 0, people = [] } = plan.data ?? {}
  const countTexts = (count: number) => texts('cases.texts', { count, number: format.number(count) })
  const close = () => {
    setOpen(false)
    setAt(undefined)
  }
  const assign = async () => {
    let left = 0
    let sent = 0
    try {
      for (let from = 0; from < ids.length; from += DESK_BULK_SIZE) {
        setAt(from)
        const part = ids.slice(from, from + DESK_BULK_SIZE)
        left += (await assignMany({ data: { ids: part, assigneeId: assignee === NOBODY ? null : assignee } })).left
        sent += part.length
      }
    } catch (error) {
      showToast({ kind: 'error', text: describeError(error) })
    }
    if (sent > left) showToast({ text: t('desk.assign.done', { what: countTexts(sent - left) }) })
    if (left > 0) showToast({ text: t('desk.bulk.left', { count: left, number: format.number(left) }) })
    close()
    onEnd()
    await forgetContributions(queryClient)
  }
  return {
    action: (
      <Button kind="secondary" size="small" onClick={() => setOpen(true)}>
        {t('desk.assign.open')}
      </Button>
    ),
    dialog: isOpen && (
      <ConfirmDialog
        title={plan.data ? t('desk.assign.title', { what: countTexts(ids.length) }) : t('desk.bulk.counting')}
        isOpen
        onClose={close}
        onConfirm={assign}
        confirmLabel={t('desk.assign.yes')}
        cancelLabel={admin('confirm.cancel')}
        confirmDisabled={ids.length === 0 || assignee === ''}
      >
        {plan.isError && <Notice kind="error" title={describeError(plan.error)} />}
        <p>{t('desk.assign.text')}</p>
        {unfit > 0 && <p>{t('desk.bulk.unfit', { count: unfit, number: format.number(unfit) })}</p>}
        {plan.data && ids.length > 0 && people.length === 0 && <Notice kind="warning" title={t('desk.assign.nobody-may')} />}
        <SelectInput
          name="assigneeId"
          label={t('desk.assign.to')}
          value={assignee}
          onChange={setAssignee}
          options={[
            { value: '', label: t('desk.assign.choose') },
            { value: NOBODY, label: t('desk.assign.nobody') },
            ...people.map((person) => ({ value: person.id, label: person.name })),
          ]}
        />
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
