import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  CLIENT_AUTHS,
  type ClientAuth,
  PROVIDER_AUDIENCES,
  PROVIDER_PRESETS,
  type ProviderAudience,
  type ProviderPreset,
} from '#app/lib/vocabulary/identity.ts'
import { api } from '#app/shell/api.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { PROVIDERS_KEY } from '../identity.queries.ts'
import { PRESETS } from '../identity.schema.ts'

/** The few settings without which a provider cannot be asked; the others follow on its own page. */
export function NewProvider() {
  const { t } = useTranslation('identity-admin')
  const { t: admin } = useTranslation('admin')
  const { listFaults } = useFaultTexts()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [preset, setPreset] = useState<ProviderPreset>('generic')
  const [name, setName] = useState('')
  const [audience, setAudience] = useState<ProviderAudience>('staff')
  const [issuer, setIssuer] = useState('')
  const [clientId, setClientId] = useState('')
  const [clientAuth, setClientAuth] = useState<ClientAuth>('client-secret')
  const [clientSecret, setClientSecret] = useState('')
  const create = useMutation({
    mutationFn: () =>
      api.create('identity-providers', {
        attributes: {
          preset,
          name,
          audience,
          issuer: issuer.trim(),
          clientId,
          clientAuth,
          ...(clientSecret.trim() && clientAuth === 'client-secret' ? { clientSecret } : {}),
        },
      }),
    onSuccess: async ({ data: { id } }) => {
      await queryClient.invalidateQueries({ queryKey: PROVIDERS_KEY })
      await navigate({ to: '/admin/sign-in/$id', params: { id } })
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
      <PageHeader title={t('new-title')} />
      <ErrorSummary title={admin('editor.problem')} errors={listFaults(create.error)} />
      <SelectInput<ProviderPreset>
        name="preset"
        label={t('preset')}
        value={preset}
        onChange={(chosen) => {
          setPreset(chosen)
          if (chosen === 'google') setIssuer(PRESETS.google.issuer)
        }}
        options={PROVIDER_PRESETS.map((value) => {
          const label = t(`presets.${value}`)
          const { isOffered } = PRESETS[value]
          return { value, label: isOffered ? label : t('preset-off', { name: label }), disabled: !isOffered }
        })}
      />
      <TextInput name="name" label={t('name')} hint={t('name-hint')} value={name} onChange={setName} maxLength={60} required />
      <SelectInput
        name="audience"
        label={t('audience')}
        hint={t('audience-hint')}
        value={audience}
        onChange={setAudience}
        options={PROVIDER_AUDIENCES.map((value) => ({ value, label: t(`audiences.${value}`) }))}
      />
      <TextInput
        name="issuer"
        type="url"
        label={t('issuer')}
        hint={t('issuer-hint')}
        placeholder={PRESETS[preset].issuer}
        value={issuer}
        onChange={setIssuer}
        required
      />
      <TextInput name="clientId" label={t('client-id')} value={clientId} onChange={setClientId} maxLength={300} required />
      <SelectInput
        name="clientAuth"
        label={t('auth')}
        value={clientAuth}
        onChange={setClientAuth}
        options={CLIENT_AUTHS.map((value) => ({ value, label: t(`auths.${value}`) }))}
      />
      {clientAuth === 'client-secret' && (
        <TextInput
          name="clientSecret"
          label={t('client-secret')}
          hint={t('client-secret-hint')}
          value={clientSecret}
          onChange={setClientSecret}
          maxLength={2000}
        />
      )}
      <div>
        <Button type="submit" pending={create.isPending}>
          {t('add')}
        </Button>
      </div>
    </form>
  )
}
