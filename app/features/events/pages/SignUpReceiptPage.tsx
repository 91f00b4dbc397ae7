import { useTranslation } from 'react-i18next'
import { useForgetSent } from '#app/features/participation/keeping/KeptForm.tsx'
import { ReceiptCode } from '#app/features/participation/ReceiptCode.tsx'
import type { FormState } from '#app/server/request-context.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import type { SignUpReceiptView } from '../events.schema.ts'
import { buildEventPath, EventBreadcrumbs, EventFacts } from './event-parts.tsx'

type Receipt = NonNullable<SignUpReceiptView['receipt']>

/** The event that a person signed up for, how to join it, and how to cancel. */
export function SignUpReceiptPage({ event, receipt, address, form }: SignUpReceiptView & { form: FormState | null }) {
  const { t } = useTranslation('events')
  useForgetSent(receipt ? buildEventPath(event) : undefined)
  return (
    <div className="page wrap-narrow stack">
      <EventBreadcrumbs event={event} current={t('receipt.heading')} />
      {receipt ? <Signed event={event} receipt={receipt} address={address} form={form} /> : <FindReceipt form={form} />}
    </div>
  )
}

function Signed({
  event,
  receipt,
  address,
  form,
}: Pick<SignUpReceiptView, 'event' | 'address'> & { receipt: Receipt; form: FormState | null }) {
  const { t } = useTranslation('events')
  const format = useFormat()
  const isOff = event.phase === 'cancelled'
  const { state, position, joinLink, answers, remindByText } = receipt
  const lead = isOff
    ? t('receipt.event-cancelled-text')
    : position === null
      ? t(`receipt.${state}-text`)
      : t('receipt.waiting-position', { number: format.number(position) })
  const byText =
    remindByText && !isOff && state !== 'cancelled' ? t(state === 'waiting' ? 'receipt.by-text-waiting' : 'receipt.by-text') : ''
  return (
    <>
      <PageTitle
        title={t(isOff ? 'receipt.event-cancelled' : `receipt.${state}`)}
        eyebrow={<Text words={event.title} />}
        lead={byText ? `${lead} ${byText}` : lead}
      />
      {form?.faults.some(({ code }) => code === 'event-over') && <Notice kind="error" title={t('receipt.too-late')} />}
      {state !== 'cancelled' && (
        <article className="receipt" aria-labelledby="receipt-heading">
          <header className="receipt-head">
            <h2 id="receipt-heading">{t('receipt.heading')}</h2>
            <ReceiptCode code={receipt.code} keep={t('receipt.keep')} address={address} />
          </header>
        </article>
      )}
      <EventFacts event={event}>
        {joinLink && (
          <Notice title={t('receipt.join')}>
            <a href={joinLink} rel="noreferrer" className="event-link">
              {joinLink}
            </a>
          </Notice>
        )}
        {answers.length > 0 && (
          <DefinitionList items={answers.map(({ title, lines }) => ({ term: title.text, value: lines.join(', ') }))} />
        )}
      </EventFacts>
      {receipt.canCancel && <CancelForm isWaiting={state === 'waiting'} />}
      <div className="row no-print">
        <a className={getButtonClass({ kind: 'secondary' })} href={toLocalHref(buildEventPath(event))}>
          {t(state === 'cancelled' && event.phase === 'upcoming' ? 'receipt.again' : 'receipt.event')}
        </a>
        <a className={getButtonClass({ kind: 'secondary' })} href={toLocalHref(`/projects/${event.project.slug}`)}>
          {t('receipt.project')}
        </a>
      </div>
    </>
  )
}

/** Has to be opened first, so that one press does not give up a place. */
function CancelForm({ isWaiting }: { isWaiting: boolean }) {
  const { t } = useTranslation('events')
  const action = useFormAction()
  return (
    <details className="no-print">
      <summary>{t(isWaiting ? 'cancel.leave' : 'cancel.title')}</summary>
      <form method="post" action={action} className="stack">
        <input type="hidden" name="form" value="cancel" />
        <p>{t(isWaiting ? 'cancel.leave-text' : 'cancel.text')}</p>
        <p>
          <Button type="submit" kind="secondary">
            {t(isWaiting ? 'cancel.leave-confirm' : 'cancel.confirm')}
          </Button>
        </p>
      </form>
    </details>
  )
}

const CODE_FAULTS = ['required', 'wrong-format', 'not-found'] as const

function FindReceipt({ form }: { form: FormState | null }) {
  const { t } = useTranslation('events')
  const action = useFormAction()
  const fault = CODE_FAULTS.find((code) => form?.faults.some((one) => one.code === code))
  const typed = form?.values['code']
  return (
    <>
      <PageTitle title={t('receipt.find')} lead={t('receipt.find-text')} />
      {form?.faults.some(({ code }) => code === 'too-many-requests') && <Notice kind="error" title={t('receipt.too-many')} />}
      <form method="post" action={action} className="stack">
        <TextField
          id="code"
          name="code"
          label={t('receipt.code')}
          defaultValue={typeof typed === 'string' ? typed : ''}
          error={fault && t(`receipt.faults.${fault}`)}
          autoComplete="off"
          spellCheck={false}
        />
        <p>
          <Button type="submit">{t('receipt.look-up')}</Button>
        </p>
      </form>
    </>
  )
}
