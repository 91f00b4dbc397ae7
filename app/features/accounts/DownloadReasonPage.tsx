import { useTranslation } from 'react-i18next'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import { AccountSection } from './AccountForms.tsx'

/** Asks why a file with personal data is downloaded, and sends that with the request for the file. */
export function DownloadReasonPage({ address }: { address: string }) {
  const { t } = useTranslation('account')
  const { t: errors } = useTranslation('errors')
  // Any base does: only the path and its parameters are used.
  const { pathname, searchParams } = new URL(address, 'http://localhost')
  const typed = searchParams.get('reason')
  const others = [...searchParams].filter(([name]) => name !== 'reason')
  const error = typed === null ? undefined : errors('codes.reason-required')
  return (
    <AccountSection title={t('download-reason.title')} lead={t('download-reason.lead')}>
      <ErrorSummary title={t('problem')} errors={error ? [{ id: 'reason', message: error }] : []} />
      <form method="get" action={pathname} className="form" noValidate>
        {others.map(([name, value], index) => (
          <input key={`${name} ${index}`} type="hidden" name={name} value={value} />
        ))}
        <TextArea
          name="reason"
          label={t('download-reason.reason')}
          hint={t('download-reason.hint')}
          rows={3}
          defaultValue={typed ?? undefined}
          error={error}
          required
        />
        <div className="form-actions">
          <Button type="submit">{t('download-reason.button')}</Button>
        </div>
      </form>
      <p>
        <a href="/admin">{t('download-reason.back')}</a>
      </p>
    </AccountSection>
  )
}
