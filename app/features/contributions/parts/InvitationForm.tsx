import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { INVITATION_FORM } from '../record/contributions.schema.ts'
import { useContributionFaults } from './use-contribution-faults.ts'

interface InvitationFormProps {
  /** `accepted`: on a shared device, for the next person. */
  invitation: 'needed' | 'accepted'
  form: FormState | null
}

/** Asks for the code of an invitation, where only invited people may take part. */
export function InvitationForm({ invitation, form }: InvitationFormProps) {
  const { t } = useTranslation('contributions')
  if (invitation === 'needed')
    return (
      <section aria-labelledby="invitation-title" className="activity-invitation">
        <h2 id="invitation-title">{t('invitation.title')}</h2>
        <p>{t('invitation.text')}</p>
        <CodeForm form={form} />
      </section>
    )
  return (
    <details className="former" open={form !== null}>
      <summary>{t('invitation.another')}</summary>
      <CodeForm form={form} />
    </details>
  )
}

function CodeForm({ form }: { form: FormState | null }) {
  const { t } = useTranslation('contributions')
  const action = useFormAction()
  const { errors, error, typed } = useContributionFaults(form, { invitation: t('invitation.label') }, INVITATION_FORM)
  return (
    <form method="post" action={action} className="form" noValidate>
      <ErrorSummary title={t('problem')} errors={errors} />
      <input type="hidden" name="form" value={INVITATION_FORM} />
      <TextField
        name="invitation"
        label={t('invitation.label')}
        hint={t('invitation.hint')}
        error={error('invitation')}
        defaultValue={typed('invitation')}
        autoComplete="off"
        spellCheck={false}
        width={20}
      />
      <div className="form-actions">
        <Button type="submit">{t('invitation.use')}</Button>
      </div>
    </form>
  )
}
