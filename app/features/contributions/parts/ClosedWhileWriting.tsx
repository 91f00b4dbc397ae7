import { type MouseEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useForgetSent, useKeptFields } from '#app/features/participation/keeping/KeptForm.tsx'
import type { FormState } from '#app/server/request-context.ts'
import { getReturnedId } from '#app/shell/returned-form.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { useHydrated } from '#app/ui/use-hydrated.ts'
import { type ActivityView, LATE_FORM } from '../record/contributions.schema.ts'
import { buildFieldName, isWrittenQuestion } from '../record/fields.schema.ts'
import { useContributionFaults } from './use-contribution-faults.ts'
import { TrapField } from './sender-fields.tsx'

interface ClosedWhileWritingProps {
  activity: ActivityView
  sending: { id: string; sendKey: string }
  form: FormState
  /** By which what is written is kept on the device. */
  address: string
  /** What was being written; by default a contribution. */
  kind?: 'contribution' | 'reply' | 'reply-to-gone' | undefined
}

const TITLES = { contribution: 'late.title', reply: 'late.title', 'reply-to-gone': 'late.gone-title' } as const

export const isLateForm = ({ state }: ActivityView, form: FormState): boolean =>
  form.form === LATE_FORM || (state === 'closed' && form.faults.some(({ code }) => code === 'activity-closed'))

/** Everything that was typed, as one text. */
function joinWritten({ fields }: ActivityView, values: FormState['values']): string {
  const names = ['title', 'body', 'placeText', ...fields.filter(isWrittenQuestion).map(({ id }) => buildFieldName(id))]
  return names
    .map((name) => values[name])
    .filter(Boolean)
    .join('\n\n')
}

/** The page of a form after its activity closed. What the device keeps of it is not lost. */
export function ClosedActivity({ activity, sending, address, kind }: Omit<ClosedWhileWritingProps, 'form'>) {
  const { t } = useTranslation('contributions')
  const kept = Object.fromEntries(useKeptFields(address) ?? [])
  if (!joinWritten(activity, kept)) return <Notice title={t('state.closed')}>{t('state.closed-text')}</Notice>
  return (
    <ClosedWhileWriting
      activity={activity}
      sending={{ id: kept['id'] ?? sending.id, sendKey: kept['sendKey'] ?? sending.sendKey }}
      form={{ form: '', values: kept, faults: [] }}
      address={address}
      kind={kind}
    />
  )
}

/** An unfinished contribution or reply after the activity closed: its text, to be copied or sent to the team. */
export function ClosedWhileWriting({ activity, sending, form, address, kind = 'contribution' }: ClosedWhileWritingProps) {
  const { t } = useTranslation('contributions')
  const action = useFormAction()
  const late = useContributionFaults(form, { body: t('late.body'), email: t('late.email') }, LATE_FORM)
  const sent = late.typed('sent')
  useForgetSent(sent && address, sent)
  if (sent)
    return (
      <Notice kind="success" title={t('late.sent')}>
        {t('late.sent-text')}
      </Notice>
    )
  return (
    <form id={getReturnedId(true)} method="post" action={action} className="form" noValidate>
      <ErrorSummary title={t('problem')} errors={late.errors} />
      <Notice title={t(TITLES[kind])}>{t(kind === 'contribution' ? 'late.text' : 'late.reply-text')}</Notice>
      <input type="hidden" name="form" value={LATE_FORM} />
      <input type="hidden" name="id" value={sending.id} />
      <input type="hidden" name="sendKey" value={sending.sendKey} />
      <TextArea
        name="body"
        label={t('late.body')}
        rows={8}
        defaultValue={late.typed('body') ?? joinWritten(activity, form.values)}
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
        <CopyMessage />
      </div>
    </form>
  )
}

function CopyMessage() {
  const { t } = useTranslation('contributions')
  const isReady = useHydrated()
  const [isCopied, setCopied] = useState(false)
  if (!isReady || !('clipboard' in navigator)) return null
  const copy = async ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    const message = form?.elements.namedItem('body')
    if (!(message instanceof HTMLTextAreaElement)) return
    await navigator.clipboard.writeText(message.value)
    setCopied(true)
  }
  return (
    <>
      <Button type="button" kind="secondary" onClick={(event) => void copy(event)}>
        {t('late.copy')}
      </Button>
      <output>
        {isCopied && (
          <>
            <Icon name="check" /> {t('late.copied')}
          </>
        )}
      </output>
    </>
  )
}
