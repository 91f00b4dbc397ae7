import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { useViewer } from '#app/shell/page-state.tsx'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { TextField } from '#app/ui/text-field.tsx'

const FAULT_TEXTS = { required: 'required', 'not-an-email': 'not-an-email' } as const

/** Why the form of `ReceiptMail` was refused, in words; undefined if it was not. */
export function useReceiptMailError(form: FormState | null): string | undefined {
  const { t } = useTranslation('receipt')
  const code = form?.form === 'mail' ? form.faults[0]?.code : undefined
  return code && t(`mail.fault-${FAULT_TEXTS[code as keyof typeof FAULT_TEXTS] ?? 'too-many'}`)
}

interface ReceiptMailProps {
  /** State of the page's form, if it was refused. */
  form: FormState | null
  /** The receipt was emailed just now. */
  sent: boolean
}

/** Emails the receipt code to people who ask for it. */
export function ReceiptMail({ form, sent }: ReceiptMailProps) {
  const { t } = useTranslation('receipt')
  const action = useFormAction()
  const own = useViewer()?.email
  const error = useReceiptMailError(form)
  if (sent && !error) {
    return (
      <Notice kind="success" title={t('mail.sent')}>
        {t('mail.sent-text')}
      </Notice>
    )
  }
  const typed = error === undefined ? undefined : form?.values['email']
  return (
    <details className="receipt-mail no-print" open={error !== undefined}>
      <summary>{t('mail.title')}</summary>
      <form method="post" action={action} className="form" noValidate>
        <input type="hidden" name="form" value="mail" />
        <TextField
          name="email"
          type="email"
          label={t('mail.label')}
          hint={t('mail.hint')}
          error={error}
          defaultValue={typeof typed === 'string' ? typed : own}
          autoComplete="email"
        />
        <div className="form-actions">
          <Button type="submit" kind="secondary">
            {t('mail.send')}
          </Button>
        </div>
      </form>
    </details>
  )
}
