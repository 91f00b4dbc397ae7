import { useViewer } from '#app/shell/page-state.tsx'
import type { FormState } from '#app/server/request-context.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'

const FAULT_TEXTS = { required: 'required', 'not-an-email': 'not-an-email' } as const

/** Emails the receipt code to people who ask for it. */
export function ReceiptMail({ form, sent, anonymous }: { form: FormState | null; sent: boolean; anonymous: boolean }) {
  const { t } = useSurveyWords()
  const own = useViewer()?.email
  if (anonymous) return <p className="survey-note">{t('receipt-mail.anonymous')}</p>
  if (sent) {
    return (
      <Notice kind="success" title={t('receipt-mail.sent')}>
        {t('receipt-mail.sent-text')}
      </Notice>
    )
  }
  const code = form?.faults[0]?.code
  const error = code ? t(`receipt-mail.fault-${FAULT_TEXTS[code as keyof typeof FAULT_TEXTS] ?? 'too-many'}`) : undefined
  const typed = form?.values['email']
  return (
    <details className="receipt-mail" open={error !== undefined}>
      <summary>{t('receipt-mail.title')}</summary>
      <form method="post" className="form" noValidate>
        <input type="hidden" name="form" value="mail" />
        <TextField
          name="email"
          type="email"
          label={t('receipt-mail.label')}
          hint={t('receipt-mail.hint')}
          error={error}
          defaultValue={typeof typed === 'string' ? typed : own}
          autoComplete="email"
        />
        <div className="form-actions">
          <Button type="submit" kind="secondary">
            {t('receipt-mail.send')}
          </Button>
        </div>
      </form>
    </details>
  )
}
