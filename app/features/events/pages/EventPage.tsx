import { useTranslation } from 'react-i18next'
import type { AccessRefusal } from '#app/features/participation/access.schema.ts'
import { KeptForm } from '#app/features/participation/keeping/KeptForm.tsx'
import { getDirection } from '#app/lib/added-languages.ts'
import type { FormState } from '#app/server/request-context.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { getReturnedId } from '#app/shell/returned-form.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useReturnToReceipt } from '#app/shell/use-return-to-receipt.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/choice-group.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import type { EventPageView } from '../events.schema.ts'
import { buildEventPath, EventBreadcrumbs, EventFacts, PlacesTag } from './event-parts.tsx'
import { SignUpQuestions } from './lazy-sign-up-questions.ts'
import { useSignUpFaults } from './use-sign-up-faults.ts'

/** An event, and the form to sign up for it. */
export function EventPage({ page, form }: { page: EventPageView; form: FormState | null }) {
  const { event, isSignedUp } = page
  const { t } = useTranslation('events')
  useReturnToReceipt(() => isSignedUp && form === null && buildEventPath(event, '/receipt'))
  const { description } = event
  return (
    <div className="page wrap-narrow stack">
      <EventBreadcrumbs event={event} />
      <PageTitle title={<Text words={event.title} />} eyebrow={<PlacesTag event={event} />} />
      {description.text && (
        <p className="event-text" lang={description.lang} dir={getDirection(description.lang)}>
          {description.text}
        </p>
      )}
      <EventFacts event={event} />
      {isSignedUp ? <SignedUpNotice /> : <Participation page={page} form={form} />}
      {!isSignedUp && (
        <p>
          <a href={toLocalHref(buildEventPath(event, '/receipt'))}>{t('find-receipt')}</a>
        </p>
      )}
    </div>
  )
}

/** The code of an account's receipt is in no address: a form opens it. */
function SignedUpNotice() {
  const { t } = useTranslation('events')
  const action = useFormAction()
  return (
    <Notice kind="success" title={t('signed-up.title')}>
      <p>{t('signed-up.text')}</p>
      <form method="post" action={action}>
        <input type="hidden" name="form" value="receipt" />
        <Button type="submit" kind="secondary">
          {t('signed-up.receipt')}
        </Button>
      </form>
    </Notice>
  )
}

function Participation({ page, form }: { page: EventPageView; form: FormState | null }) {
  const { event, isOpen, refusal } = page
  const { t } = useTranslation('events')
  const { phase } = event
  const isFull = event.free === 0
  if (!isOpen && form === null) {
    const state = phase === 'upcoming' ? 'draft' : phase
    return <Notice kind={phase === 'cancelled' ? 'warning' : 'info'} title={t(`notices.${state}`)} />
  }
  if (isFull && !event.hasWaitingList && form === null) return <Notice kind="warning" title={t('notices.full')} />
  if (refusal) return <SignUpRefusal refusal={refusal} next={buildEventPath(event)} />
  return <SignUpForm page={page} form={form} />
}

function SignUpForm({ page, form }: { page: EventPageView; form: FormState | null }) {
  const { event, person, phone, questions, sending } = page
  const { t } = useTranslation('events')
  const format = useFormat()
  const action = useFormAction()
  const { byField, errors } = useSignUpFaults(form, questions)
  const values = form?.values ?? {}
  const typed = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
  const isFull = event.free === 0
  const id = typed('id') ?? sending.id
  return (
    <section className="stack" aria-labelledby="sign-up-heading">
      <h2 id="sign-up-heading">{t(isFull ? 'form.wait' : 'form.title')}</h2>
      {isFull && (
        <Notice kind="warning" title={t('notices.waiting')}>
          {t('notices.waiting-text', { count: event.waiting, number: format.number(event.waiting) })}
        </Notice>
      )}
      <form id={getReturnedId(form !== null)} method="post" action={action} className="form" noValidate>
        <ErrorSummary title={t('form.problem')} errors={errors} />
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="sendKey" value={typed('sendKey') ?? sending.sendKey} />
        <TextField
          name="name"
          label={t('form.name')}
          hint={t('form.name-hint')}
          defaultValue={typed('name') ?? person.name}
          error={byField.get('name')}
          autoComplete="name"
          required
        />
        <TextField
          name="email"
          type="email"
          label={t('form.email')}
          hint={t('form.email-hint')}
          defaultValue={typed('email') ?? person.email}
          error={byField.get('email')}
          autoComplete="email"
          required
        />
        {phone && (
          <Checkbox
            name="remindByText"
            value="yes"
            label={t('form.by-text', { phone: phone.replaceAll(' ', '\u00a0') })}
            hint={t('form.by-text-hint')}
            defaultChecked={typed('remindByText') === 'yes'}
          />
        )}
        {questions.length > 0 && <SignUpQuestions questions={questions} values={values} errors={byField} />}
        {/* What fills it in is a program, and `refuseHiddenField` refuses it. */}
        <div className="visually-hidden" aria-hidden="true">
          <input type="text" name="website" tabIndex={-1} autoComplete="off" />
        </div>
        <p className="form-promise">{t('form.promise')}</p>
        <div className="form-actions">
          <Button type="submit">{t(isFull ? 'form.send-wait' : 'form.send')}</Button>
        </div>
        <KeptForm address={buildEventPath(event)} isReturned={form !== null} />
      </form>
    </section>
  )
}

/** Why the reader may not sign up, and what they can do about it. @param next the page to come back to */
function SignUpRefusal({ refusal, next }: { refusal: AccessRefusal; next: string }) {
  const { t } = useTranslation('events')
  const kind = refusal === 'sign-in' || refusal === 'confirm' || refusal === 'members' ? refusal : 'other'
  return (
    <Notice title={t(`refusals.${kind}.title`)}>
      <p>{t(`refusals.${kind}.text`)}</p>
      {kind === 'sign-in' && (
        <p>
          <a
            className={getButtonClass({ kind: 'secondary' })}
            href={`${toLocalHref('/sign-in')}?${new URLSearchParams({ next: toLocalHref(next) })}`}
          >
            {t('refusals.sign-in.action')}
          </a>
        </p>
      )}
    </Notice>
  )
}
