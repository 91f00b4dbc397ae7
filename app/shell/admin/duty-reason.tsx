import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Fault, isAppError } from '#app/lib/app-error.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { TextAreaInput } from '#app/ui/admin/inputs.tsx'

const NO_FAULTS: readonly Fault[] = []
const listDutyFaults = (error: unknown): readonly Fault[] =>
  isAppError(error) && error.faults.length > 0 && error.faults.every(({ code }) => code === 'duty-missing') ? error.faults : NO_FAULTS

/** Whether something is refused only until a reason is given for duties that are not met. */
export const isDutyRefusal = (error: unknown): boolean => listDutyFaults(error).length > 0

/** Names of the duties that a refused mutation names; kept while it is tried again, and forgotten when that is over. */
export function useRefusedDuties({ error, isPending }: { error: unknown; isPending: boolean }): string[] {
  const [asked, setAsked] = useState<readonly Fault[]>(NO_FAULTS)
  const faults = listDutyFaults(error)
  if (faults.length > 0 ? faults !== asked : !isPending && asked.length > 0) setAsked(faults)
  return asked.map(({ values }) => String(values?.['duty'] ?? ''))
}

interface DutyReasonProps {
  /** Names of the duties that are not met. */
  duties: readonly string[]
  reason: string
  onChange: (reason: string) => void
}

/** Duties that are not met, with the reason for publishing all the same. */
export function DutyReason({ duties, reason, onChange }: DutyReasonProps) {
  const { t } = useTranslation('duties')
  return (
    <div className="admin-form">
      <p>{t('ask.about')}</p>
      <ul>
        {duties.map((duty) => (
          <li key={duty}>{duty}</li>
        ))}
      </ul>
      <TextAreaInput name="dutyReason" label={t('ask.reason')} hint={t('ask.hint')} rows={3} value={reason} onChange={onChange} required />
    </div>
  )
}

interface DutyReasonDialogProps {
  publishing: { error: unknown; isPending: boolean }
  /** Tries again with the reason. */
  onPublish: (reason: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for the reason once publishing was refused because of duties. */
export function DutyReasonDialog({ publishing, onPublish, onClose }: DutyReasonDialogProps) {
  const { t } = useTranslation('duties')
  const { t: admin } = useTranslation('admin')
  const [reason, setReason] = useState('')
  const duties = useRefusedDuties(publishing)
  const close = () => {
    setReason('')
    onClose()
  }
  return (
    <ConfirmDialog
      title={t('ask.title')}
      isOpen={duties.length > 0}
      onClose={close}
      onConfirm={() => onPublish(reason).then(close, () => undefined)}
      confirmLabel={t('ask.publish')}
      cancelLabel={admin('confirm.cancel')}
      confirmDisabled={reason.trim() === ''}
    >
      <DutyReason duties={duties} reason={reason} onChange={setReason} />
    </ConfirmDialog>
  )
}
