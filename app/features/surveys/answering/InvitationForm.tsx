import type { FormState } from '#app/server/request-context.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'

const FAULT_TEXTS = { required: 'required', 'wrong-format': 'wrong-format', 'not-found': 'not-found' } as const

/** Form for an invitation code: the first or, on a shared device, the next one. */
export function InvitationForm({ refusal, form }: { refusal: 'invitation' | 'answered'; form: FormState | null }) {
  const { t } = useSurveyWords()
  const code = form?.faults[0]?.code
  const error = code ? t(`invitation.fault-${FAULT_TEXTS[code as keyof typeof FAULT_TEXTS] ?? 'too-many'}`) : undefined
  const typed = form?.values['invitation']
  return (
    <form method="post" className="form survey-invitation" noValidate>
      {error && <ErrorSummary title={t('problem')} errors={[{ id: 'invitation', message: error }]} />}
      <input type="hidden" name="form" value="invitation" />
      <TextField
        name="invitation"
        label={t(refusal === 'answered' ? 'invitation.another' : 'invitation.label')}
        hint={t('invitation.hint')}
        error={error}
        defaultValue={typeof typed === 'string' ? typed : undefined}
        autoComplete="off"
        spellCheck={false}
        width={20}
      />
      <div className="form-actions">
        <Button type="submit" kind={refusal === 'answered' ? 'secondary' : 'primary'}>
          {t('invitation.use')}
        </Button>
      </div>
    </form>
  )
}
