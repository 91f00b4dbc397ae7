import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { REGIONS } from '#app/features/accounts/accounts.schema.ts'
import { listTimeZones } from '#app/lib/time-zones.ts'
import type { AddedLanguage } from '#app/lib/added-languages.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { LANGUAGES, listContentLanguages } from '#app/lib/languages.ts'
import { DUTY_RULES } from '#app/lib/vocabulary/duties.ts'
import { HOLIDAY_CALENDARS } from '#app/lib/vocabulary/holidays.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { ContentForm } from '#app/ui/admin/content-form.tsx'
import { CheckInput, NumberInput, SelectInput, TextAreaInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { useEditedFields } from '#app/ui/admin/use-edited-fields.ts'
import { TimeZoneSelect } from '#app/ui/time-zone-select.tsx'
import { forgetOwnSite, ownSiteQuery } from '../site-settings.queries.ts'
import { SiteTopics } from './SiteTopics.tsx'
import { AddedLanguages } from './AddedLanguages.tsx'
import { TranslationGaps } from './TranslationGaps.tsx'

const TIME_ZONES = listTimeZones()

/** The site's name, languages, region, time zone, contact and topics, and what is not translated yet. @param children settings of other features */
export function SiteSettingsPage({ children }: { children: ReactNode }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { id } = useSite()
  const queryClient = useQueryClient()
  const { data: site } = useSuspenseQuery(ownSiteQuery(id)).data
  const { fields, changed, values, change, reset } = useEditedFields({
    name: site.name,
    taglineTranslations: site.taglineTranslations ?? {},
    contactEmail: site.contactEmail,
    region: site.region,
    timeZone: site.timeZone,
    holidays: site.holidays,
    duties: site.duties,
    dutyDays: site.dutyDays,
    locale: site.locale,
    languages: site.languages,
    addedLanguages: site.addedLanguages as AddedLanguage[],
    requiresSecondStep: site.requiresSecondStep,
    sharedNetworks: site.sharedNetworks ?? [],
  })
  const save = useMutation({
    mutationFn: ({ sharedNetworks, ...sent }: typeof values) =>
      api.update('sites', id, {
        attributes: {
          ...sent,
          ...(sharedNetworks && { sharedNetworks: sharedNetworks.map((line) => line.trim()).filter(Boolean) }),
        },
      }),
    onSuccess: async (_, sent) => {
      await forgetOwnSite(queryClient)
      reset(sent)
    },
  })
  const words = useEditorTexts(save.error)
  const regions = REGIONS.map((value) => ({ value: value as string, label: t(`sites.regions.${value}`) }))
  const isListed = regions.some(({ value }) => value === fields.region)
  return (
    <>
      <PageHeader title={admin('nav.settings')} meta={t('settings.text')} />
      <ContentForm
        unsaved={changed.length}
        saving={save.isPending}
        faults={words.faults}
        stale={false}
        onSave={() => save.mutate(values)}
        words={words.form}
      >
        <div className="admin-form">
          <TextInput
            name="name"
            label={t('sites.name')}
            hint={t('settings.name-hint')}
            value={fields.name}
            onChange={(name) => change({ name })}
            error={words.messageOf('name')}
            required
          />
        </div>
        <TranslatedTexts
          languages={listContentLanguages(fields)}
          source={site.locale}
          fields={[{ name: 'taglineTranslations', label: t('settings.tagline'), hint: t('settings.tagline-hint') }]}
          values={fields}
          onChange={(_, taglineTranslations) => change({ taglineTranslations })}
          messageOf={words.messageOf}
          words={words.texts}
        />
        <div className="admin-form">
          <TextInput
            name="contactEmail"
            type="email"
            label={t('settings.contact')}
            hint={t('settings.contact-hint')}
            value={fields.contactEmail ?? ''}
            onChange={(contactEmail) => change({ contactEmail: contactEmail.trim() || null })}
            error={words.messageOf('contactEmail')}
          />
          <SelectInput
            name="region"
            label={t('sites.region')}
            hint={t('settings.region-hint')}
            value={fields.region}
            onChange={(region) => change({ region })}
            options={isListed ? regions : [{ value: fields.region, label: fields.region }, ...regions]}
            error={words.messageOf('region')}
          />
          <TimeZoneSelect
            name="timeZone"
            label={t('sites.time-zone')}
            hint={t('settings.time-zone-hint')}
            value={fields.timeZone}
            onChange={(timeZone) => change({ timeZone })}
            zones={TIME_ZONES}
            nameRegion={(region) => t(`time-zones.${region}`)}
            error={words.messageOf('timeZone')}
          />
          <SelectInput
            name="holidays"
            label={t('settings.holidays')}
            hint={t('settings.holidays-hint')}
            value={fields.holidays}
            onChange={(holidays) => change({ holidays })}
            options={HOLIDAY_CALENDARS.map((value) => ({ value, label: t(`holidays.${value}`) }))}
            error={words.messageOf('holidays')}
          />
          <SelectInput
            name="duties"
            label={t('settings.duties')}
            hint={t('settings.duties-hint')}
            value={fields.duties}
            onChange={(duties) => change({ duties })}
            options={DUTY_RULES.map((value) => ({ value, label: t(`duties.${value}`) }))}
            error={words.messageOf('duties')}
          />
          {fields.duties !== 'none' && (
            <NumberInput
              name="dutyDays"
              label={t('settings.duty-days')}
              hint={t('settings.duty-days-hint')}
              value={fields.dutyDays}
              onChange={(dutyDays) => change({ dutyDays: dutyDays ?? 0 })}
              min={1}
              max={365}
              error={words.messageOf('dutyDays')}
            />
          )}
          <SelectInput
            name="locale"
            label={t('sites.locale')}
            hint={t('settings.locale-hint')}
            value={fields.locale}
            onChange={(locale) => change({ locale, languages: [...new Set([locale, ...fields.languages])] })}
            options={LANGUAGES.map((value) => ({ value, label: getLanguageName(value) }))}
            error={words.messageOf('locale')}
          />
          <fieldset>
            <legend>{t('sites.more-languages')}</legend>
            <p className="field-hint">{t('settings.languages-hint')}</p>
            {LANGUAGES.filter((code) => code !== fields.locale).map((code) => (
              <CheckInput
                key={code}
                name={`language-${code}`}
                label={getLanguageName(code)}
                value={fields.languages.includes(code)}
                onChange={(on) =>
                  change({ languages: on ? [...fields.languages, code] : fields.languages.filter((other) => other !== code) })
                }
              />
            ))}
          </fieldset>
          <AddedLanguages
            value={fields.addedLanguages}
            onChange={(addedLanguages) => change({ addedLanguages })}
            locale={fields.locale}
            error={words.messageOf('addedLanguages')}
          />
          <CheckInput
            name="requiresSecondStep"
            label={t('settings.second-step')}
            hint={t('settings.second-step-hint')}
            value={fields.requiresSecondStep}
            onChange={(requiresSecondStep) => change({ requiresSecondStep })}
            error={words.messageOf('requiresSecondStep')}
          />
          <TextAreaInput
            name="sharedNetworks"
            label={t('settings.networks')}
            hint={t('settings.networks-hint')}
            value={fields.sharedNetworks.join('\n')}
            onChange={(text) => change({ sharedNetworks: text === '' ? [] : text.split('\n') })}
            error={words.messageOf('sharedNetworks')}
          />
        </div>
      </ContentForm>
      <div className="admin-stack">
        <TranslationGaps />
        <SiteTopics />
        {children}
      </div>
    </>
  )
}
