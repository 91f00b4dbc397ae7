import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { type ActivityView, LATE_FORM } from '../record/contributions.schema.ts'
import { buildFieldName, isWrittenQuestion } from '../record/fields.schema.ts'
import { useContributionFaults } from './use-contribution-faults.ts'
import { TrapField } from './sender-fields.tsx'

interface ClosedWhileWritingProps {
  activity: ActivityView
  sending: { id: string; sendKey: string }
  form: FormState
  /** What was being written; by default a contribution. */
  kind?: 'contribution' | 'reply' | 'reply-to-gone'
}

const TITLES = { contribution: 'late.title', reply: 'late.title', 'reply-to-gone': 'late.gone-title' } as const

export const isLateForm = ({ state }: ActivityView, form: FormState): boolean =>
  form.form === LATE_FORM || (state === 'closed' && form.faults.some(({ code }) => code === 'activity-closed'))

/** Offers to send an unfinished contribution or reply to the team after the activity closed. */
export function ClosedWhileWriting({ activity, sending, form, kind = 'contribution' }: ClosedWhileWritingProps) {
  const { t } = useTranslation('contributions')
  const action = useFormAction()
  const late = useContributionFaults(form, { body: t('late.body'), email: t('late.email') }, LATE_FORM)
  const { typed } = useContributionFaults(form)
  if (late.typed('sent'))
    return (
      <Notice kind="success" title={t('late.sent')}>
        {t('late.sent-text')}
      </Notice>
    )
  const answers = activity.fields.filter(isWrittenQuestion).map(({ id }) => typed(buildFieldName(id)))
  const written = [typed('title'), typed('body'), typed('placeText'), ...answers].filter(Boolean).join('\n\n')
  return (
    <form method="post" action={action} className="form" noValidate>
      <ErrorSummary title={t('problem')} errors={late.errors} />
      <Notice title={t(TITLES[kind])}>{t(kind === 'contribution' ? 'late.text' : 'late.reply-text')}</Notice>
      <input type="hidden" name="form" value={LATE_FORM} />
      <input type="hidden" name="id" value={sending.id} />
      <input type="hidden" name="sendKey" value={sending.sendKey} />
      <TextArea
        name="body"
        label={t('late.body')}
        rows={8}
        defaultValue={late.typed('body') ?? written}
        error={late.error('body')}
        required
      />
      <TextField
        name="email"
        type="email"
        label={t('late.email')}
        hint={t('late.email-hint')}
        optional={t('write.optional')}
        autoComplete="email"
        defaultValue={late.typed('email')}
        error={late.error('email')}
      />
      <TrapField />
      <div className="form-actions">
        <Button type="submit">{t('late.send')}</Button>
      </div>
    </form>
  )
}
