import { useTranslation } from 'react-i18next'
import { Button } from '#app/ui/button.tsx'
import { RadioGroup } from '#app/ui/choice-group.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { localHref } from './language-rewrite.ts'
import { usePageState } from './page-state.tsx'

/** What is kept on the device, and the choice about third parties, which can be changed here at any time. */
export function ConsentPage({ refused }: { refused: boolean }) {
  const { t } = useTranslation(['common', 'errors'])
  const { consent, siteSettings } = usePageState()
  return (
    <div className="wrap-narrow page">
      <PageTitle title={t('cookies.title')} lead={t('cookies.lead')} />
      <div className="prose">
        <h2>{t('cookies.needed')}</h2>
        <p>{t('cookies.needed-text')}</p>
        <h2>{t('cookies.optional')}</h2>
        <p>{t('cookies.optional-text')}</p>
        {!siteSettings.consentRequired && <p>{t('cookies.not-asked')}</p>}
      </div>
      {siteSettings.consentRequired && (
        <form className="stack section" method="post" action={localHref('/cookies')}>
          <RadioGroup
            name="consent"
            label={t('cookies.choice')}
            look="plain"
            required
            error={refused ? t('errors:codes.not-a-choice') : undefined}
            defaultValue={consent ?? undefined}
            options={[
              { value: 'granted', label: t('cookies.yes') },
              { value: 'denied', label: t('cookies.no') },
            ]}
          />
          <p>
            <Button>{t('cookies.save')}</Button>
          </p>
        </form>
      )}
    </div>
  )
}
