import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { LANGUAGE_NAMES, LANGUAGES } from '#app/lib/languages.ts'
import { getBrowserTimeZone } from '#app/lib/time-zones.ts'
import type { FormState } from '#app/server/request-context.ts'
import { toPathInLanguage } from '#app/shell/language.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { CheckboxGroup } from '#app/ui/choice-group.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Select } from '#app/ui/select.tsx'
import { Brand, LanguageLinks } from '#app/ui/site-header.tsx'
import { TimeZoneSelect } from '#app/ui/time-zone-select.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { REGIONS, type FirstAdminSetup } from './accounts.schema.ts'
import { ChosenPasswordField, EmailField } from './account-fields.tsx'
import { ExpiredLinkPage } from './MailPages.tsx'
import { useSubmittedForm } from './use-submitted-form.ts'

const DEFAULT_TIME_ZONE = 'America/Toronto'
/** The zone of a device does not change while the page is open. */
const subscribeToNothing = () => () => undefined
const languageOptions = LANGUAGES.map((code) => ({ value: code, label: LANGUAGE_NAMES[code] }))

/** Lets the person running the server create the first administrator and, if there is none, the first site. */
export function FirstAdminPage({ setup, token, form }: { setup: FirstAdminSetup | null; token: string; form: FormState | null }) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const labels = {
    login: t('fields.login'),
    email: t('fields.email'),
    password: t('fields.password'),
    siteName: t('first-admin.site-name'),
    region: t('first-admin.region'),
    locale: t('first-admin.locale'),
    languages: t('first-admin.languages'),
    timeZone: t('first-admin.time-zone'),
    adminEmail: t('first-admin.site-admin'),
  }
  const faults = useSubmittedForm(form, labels)
  if (!setup)
    return (
      <PlatformChrome>
        <ExpiredLinkPage text={t('first-admin.expired')} />
      </PlatformChrome>
    )
  return (
    <PlatformChrome>
      <div className="page wrap-narrow stack">
        <PageTitle title={t('first-admin.title')} lead={t('first-admin.lead')} />
        <ErrorSummary title={t('problem')} errors={faults.errors} />
        <form method="post" action={action} className="form" noValidate>
          <input type="hidden" name="token" value={token} />
          <TextField
            name="login"
            label={labels.login}
            autoComplete="name"
            maxLength={80}
            defaultValue={faults.typed('login')}
            error={faults.error('login')}
            required
          />
          <EmailField value={faults.typed('email')} error={faults.error('email')} own />
          <ChosenPasswordField error={faults.error('password')} isRefused={faults.isRefused} />
          {setup.host !== null && <FirstSiteFields setup={setup} host={setup.host} labels={labels} faults={faults} form={form} />}
          <div className="form-actions">
            <Button type="submit">{t('first-admin.button')}</Button>
          </div>
        </form>
      </div>
    </PlatformChrome>
  )
}

/** There may be no site yet whose name and navigation could be shown. */
function PlatformChrome({ children }: { children: ReactNode }) {
  const { t, i18n } = useTranslation('participant')
  const { pathname, searchStr } = useLocation()
  const { name } = useSite()
  return (
    <>
      <header className="site-header">
        <div className="wrap site-header-row">
          <span className="brand">
            <Brand name={name} />
          </span>
          <LanguageLinks
            label={t('site.languages')}
            languages={LANGUAGES.map((code) => ({
              code,
              name: LANGUAGE_NAMES[code],
              href: `${toPathInLanguage(pathname, code)}${searchStr}`,
              current: code === i18n.language,
            }))}
          />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  )
}

function FirstSiteFields({
  setup,
  host,
  labels,
  faults: { error, typed },
  form,
}: {
  setup: FirstAdminSetup
  host: string
  labels: Record<'siteName' | 'region' | 'locale' | 'languages' | 'timeZone' | 'adminEmail', string>
  faults: ReturnType<typeof useSubmittedForm>
  form: FormState | null
}) {
  const { t } = useTranslation('account')
  const chosen = form?.values['languages']
  const [timeZone, setTimeZone] = useState(typed('timeZone'))
  // The server does not know the device's zone, so its page proposes another until this one has loaded.
  const ownZone = useSyncExternalStore(subscribeToNothing, getBrowserTimeZone, () => DEFAULT_TIME_ZONE)
  return (
    <>
      <h2 className="text-step-2">{t('first-admin.site')}</h2>
      <p>{t('first-admin.site-text', { host })}</p>
      <TextField
        name="siteName"
        label={labels.siteName}
        hint={t('first-admin.site-name-hint')}
        maxLength={80}
        defaultValue={typed('siteName')}
        error={error('siteName')}
        required
      />
      <Select
        name="region"
        label={labels.region}
        options={REGIONS.map((value) => ({ value, label: t(`regions.${value}`) }))}
        defaultValue={typed('region')}
        error={error('region')}
      />
      <TimeZoneSelect
        name="timeZone"
        label={labels.timeZone}
        zones={setup.timeZones}
        nameRegion={(region) => t(`time-zones.${region}`)}
        value={timeZone ?? (setup.timeZones.includes(ownZone) ? ownZone : DEFAULT_TIME_ZONE)}
        onChange={setTimeZone}
        error={error('timeZone')}
      />
      <Select name="locale" label={labels.locale} options={languageOptions} defaultValue={typed('locale')} error={error('locale')} />
      <CheckboxGroup
        name="languages"
        label={labels.languages}
        look="plain"
        options={languageOptions}
        defaultValue={chosen === undefined ? ['en'] : [chosen].flat()}
        error={error('languages')}
      />
      <TextField
        name="adminEmail"
        type="email"
        label={labels.adminEmail}
        hint={t('first-admin.site-admin-hint')}
        maxLength={254}
        defaultValue={typed('adminEmail')}
        error={error('adminEmail')}
        required
      />
    </>
  )
}
