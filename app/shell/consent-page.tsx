import { useTranslation } from 'react-i18next'
import { type StoredItem } from '#app/lib/device-storage.ts'
import { STORED_ITEMS } from '#app/lib/stored-items.ts'
import { Button } from '#app/ui/button.tsx'
import { RadioGroup } from '#app/ui/choice-group.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { toLocalHref } from './language-rewrite.ts'
import { usePageState } from './page-state.tsx'
import { useAsksConsent, useServices } from './use-services.ts'

const SERVICE_LABELS = { segment: 'Segment', sentry: 'Sentry', intercom: 'Intercom' }

/** Lists everything stored on the device, with the choice about third parties, which can be changed here at any time. */
export function ConsentPage({ refused }: { refused: boolean }) {
  const { t } = useTranslation('cookies')
  const { consent, siteSettings } = usePageState()
  const services = useServices()
  const asks = useAsksConsent()
  return (
    <div className="wrap-narrow page">
      {asks && refused && <ErrorSummary title={t('problem')} errors={[{ id: 'consent', message: t('choose') }]} />}
      <PageTitle title={t('title')} lead={t('lead')} />
      <div className="stack">
        <StoredItems of="everyone" text={t('everyone-text')} />
        <StoredItems of="account" />
        <StoredItems of="team" />
        <section className="stored" aria-labelledby="services">
          <h2 id="services">{t('services')}</h2>
          {services.length === 0 ? (
            <p>{t('services-none')}</p>
          ) : (
            <>
              <p>
                {t(siteSettings.consentRequired ? 'services-asked' : 'services-not-asked')} {t('services-video')}
              </p>
              <dl className="stored-items">
                {services.map((service) => (
                  <div key={service}>
                    <dt>{SERVICE_LABELS[service]}</dt>
                    <dd>{t(`service.${service}`)}</dd>
                  </div>
                ))}
              </dl>
            </>
          )}
        </section>
      </div>
      {asks && (
        <form className="stack section" method="post" action={toLocalHref('/cookies')}>
          <RadioGroup
            name="consent"
            label={t('choice')}
            look="plain"
            required
            error={refused ? t('choose') : undefined}
            defaultValue={consent ?? undefined}
            options={[
              { value: 'granted', label: t('yes') },
              { value: 'denied', label: t('no') },
            ]}
          />
          <p>
            <Button type="submit">{t('save')}</Button>
          </p>
        </form>
      )}
    </div>
  )
}

function StoredItems({ of, text }: { of: StoredItem['for']; text?: string }) {
  const { t } = useTranslation('cookies')
  const items: readonly (StoredItem & { id: (typeof STORED_ITEMS)[number]['id'] })[] = STORED_ITEMS
  return (
    <section className="stored" aria-labelledby={`stored-${of}`}>
      <h2 id={`stored-${of}`}>{t(of)}</h2>
      {text && <p>{text}</p>}
      <dl className="stored-items">
        {items
          .filter((item) => item.for === of)
          .map((item) => (
            <div key={item.id}>
              <dt>
                <code>
                  {item.name}
                  {item.each && '…'}
                </code>
              </dt>
              <dd>{t(`items.${item.id}`)}</dd>
              <dd className="meta">
                <span>{t(`place.${item.place}`)}</span>
                <span>{formatLifetime(t, item)}</span>
              </dd>
            </div>
          ))}
      </dl>
    </section>
  )
}

const DAY_SECONDS = 86_400

function formatLifetime(t: ReturnType<typeof useTranslation<'cookies'>>['t'], { seconds, place }: StoredItem): string {
  if (seconds === undefined) return place === 'session' ? t('lasts.tab') : t('lasts.done')
  return seconds < DAY_SECONDS
    ? t('lasts.minutes', { count: Math.round(seconds / 60) })
    : t('lasts.days', { count: Math.round(seconds / DAY_SECONDS) })
}
