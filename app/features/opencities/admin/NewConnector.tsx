import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import { type Language, LANGUAGES } from '#app/lib/languages.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { FaultSummary } from '#app/ui/admin/fault-summary.tsx'
import { SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { forgetCityData } from '../connectors.queries.ts'

/** Only needs an address: the kind of portal is detected. */
export function NewConnector() {
  const { t } = useTranslation('city-admin')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { listFaults } = useFaultTexts()
  const [portalUrl, setPortalUrl] = useState('')
  const [token, setToken] = useState('')
  const [language, setLanguage] = useState<Language>(site.locale)
  const create = useMutation({
    mutationFn: () =>
      api.create('city-connectors', {
        attributes: { portalUrl: portalUrl.trim(), language, ...(token.trim() ? { token: token.trim() } : {}) },
      }),
    onSuccess: async ({ data }) => {
      await forgetCityData(queryClient)
      await navigate({ to: '/admin/city-data/$id', params: { id: data.id } })
    },
  })
  return (
    <form
      noValidate
      className="admin-form"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <PageHeader title={t('new.title')} meta={t('new.text')} />
      <FaultSummary title={admin('editor.problem')} errors={listFaults(create.error)} />
      <TextInput
        name="portalUrl"
        type="url"
        label={t('new.address')}
        hint={t('new.address-hint')}
        value={portalUrl}
        onChange={setPortalUrl}
        required
      />
      <SelectInput
        name="language"
        label={t('new.language')}
        hint={t('new.language-hint')}
        value={language}
        onChange={setLanguage}
        options={LANGUAGES.map((value) => ({ value, label: getLanguageName(value) }))}
      />
      <TextInput name="token" label={t('new.token')} hint={t('new.token-hint')} value={token} onChange={setToken} />
      <div>
        <Button type="submit" pending={create.isPending}>
          {create.isPending ? t('new.looking') : t('new.connect')}
        </Button>
      </div>
    </form>
  )
}
