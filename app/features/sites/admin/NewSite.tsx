import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { REGIONS } from '#app/features/accounts/accounts.schema.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { LANGUAGES, type Language } from '#app/lib/languages.ts'
import { getBrowserTimeZone, listTimeZones } from '#app/lib/time-zones.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { FaultSummary } from '#app/ui/admin/fault-summary.tsx'
import { CheckInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { TimeZoneSelect } from '#app/ui/time-zone-select.tsx'
import { forgetSites } from '../sites.queries.ts'

const TIME_ZONES = listTimeZones()

/** Creates a site with its address, languages and time zone, and invites its first administrator. */
export function NewSite({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [host, setHost] = useState('')
  const [adminEmail, setAdminEmail] = useState('')
  const [region, setRegion] = useState<(typeof REGIONS)[number]>('Canada')
  const [locale, setLocale] = useState<Language>('en')
  const [more, setMore] = useState<readonly Language[]>([])
  const [timeZone, setTimeZone] = useState(getBrowserTimeZone)
  const make = useMutation({
    mutationFn: () =>
      api.create('sites', { attributes: { name, host, adminEmail, region, locale, languages: [locale, ...more], timeZone } }),
    onSuccess: async ({ data: { id } }) => {
      showToast({ text: t('sites.made') })
      await forgetSites(queryClient)
      await navigate({ to: '/admin/sites/$site/administrators', params: { site: id } })
    },
  })
  const words = useEditorTexts(make.error)
  return (
    <Dialog
      title={t('sites.new')}
      isOpen
      onClose={onClose}
      closeLabel={admin('nav.close-dialog')}
      submit={{ label: t('sites.make'), onSubmit: () => make.mutate(), pending: make.isPending }}
    >
      <div className="admin-form">
        {words.faults.length > 0 && <FaultSummary title={words.form.problem} errors={words.faults} />}
        <TextInput name="name" label={t('sites.name')} value={name} onChange={setName} error={words.messageOf('name')} required />
        <TextInput
          name="host"
          label={t('sites.host')}
          hint={t('sites.host-hint')}
          value={host}
          onChange={setHost}
          error={words.messageOf('host')}
          required
        />
        <TextInput
          name="adminEmail"
          type="email"
          label={t('sites.admin')}
          hint={t('sites.admin-hint')}
          value={adminEmail}
          onChange={setAdminEmail}
          error={words.messageOf('adminEmail')}
          required
        />
        <SelectInput
          name="region"
          label={t('sites.region')}
          value={region}
          onChange={setRegion}
          options={REGIONS.map((value) => ({ value, label: t(`sites.regions.${value}`) }))}
        />
        <SelectInput
          name="locale"
          label={t('sites.locale')}
          value={locale}
          onChange={(next) => {
            setLocale(next)
            setMore(more.filter((code) => code !== next))
          }}
          options={LANGUAGES.map((value) => ({ value, label: getLanguageName(value) }))}
        />
        <fieldset>
          <legend>{t('sites.more-languages')}</legend>
          {LANGUAGES.filter((code) => code !== locale).map((code) => (
            <CheckInput
              key={code}
              name={`language-${code}`}
              label={getLanguageName(code)}
              value={more.includes(code)}
              onChange={(on) => setMore(on ? [...more, code] : more.filter((other) => other !== code))}
            />
          ))}
        </fieldset>
        <TimeZoneSelect
          name="timeZone"
          label={t('sites.time-zone')}
          zones={TIME_ZONES}
          nameRegion={(region) => t(`time-zones.${region}`)}
          value={timeZone}
          onChange={setTimeZone}
        />
      </div>
    </Dialog>
  )
}
