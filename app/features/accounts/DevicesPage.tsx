import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { Card, Meta } from '#app/ui/card.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { AccountSection } from './AccountForms.tsx'
import type { SessionView } from './accounts.schema.ts'
import type { CompletedAction } from './accounts.search.ts'
import { useSubmittedForm } from './use-submitted-form.ts'

/** Devices where the person is signed in, each with a sign-out button. */
export function DevicesPage({
  sessions,
  form,
  done,
}: {
  sessions: readonly SessionView[]
  form: FormState | null
  done?: CompletedAction | undefined
}) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const { errors } = useSubmittedForm(form, {})
  const others = sessions.filter((session) => !session.current)
  const [current] = sessions.filter((session) => session.current)
  return (
    <AccountSection title={t('devices.title')} lead={t('devices.lead')}>
      {done && !form && <Notice kind="success">{t(`done.${done}`)}</Notice>}
      <ErrorSummary title={t('problem')} errors={errors} />
      {[...(current ? [current] : []), ...others].map((session) => (
        <Device key={session.id} session={session} />
      ))}
      {others.length > 0 ? (
        <form method="post" action={action}>
          <input type="hidden" name="form" value="others" />
          <Button type="submit">{t('devices.end-others')}</Button>
        </form>
      ) : (
        <p>{t('devices.only')}</p>
      )}
    </AccountSection>
  )
}

function Device({ session }: { session: SessionView }) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const format = useFormat()
  const { browser, system } = session
  const name = browser && system ? t('devices.named', { browser, system }) : (browser ?? system ?? t('devices.unknown'))
  return (
    <Card>
      <div className="row">
        <div className="stack">
          <h2 className="text-step-1">{name}</h2>
          <Meta
            items={[
              t('devices.last-used', { date: format.dateTime(session.lastUsedAt) }),
              t('devices.since', { date: format.date(session.createdAt) }),
            ]}
          />
        </div>
        <div className="row-end">
          {session.current ? (
            <Tag kind="open">{t('devices.current')}</Tag>
          ) : (
            <form method="post" action={action}>
              <input type="hidden" name="session" value={session.id} />
              <Button type="submit" kind="secondary" size="small" aria-label={t('devices.end-named', { device: name })}>
                {t('devices.end')}
              </Button>
            </form>
          )}
        </div>
      </div>
    </Card>
  )
}
