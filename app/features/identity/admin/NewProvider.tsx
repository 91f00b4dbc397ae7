import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  PROVIDER_AUDIENCES,
  PROVIDER_PRESETS,
  type ProviderAudience,
  type ProviderPreset,
  type ProviderProtocol,
} from '#app/lib/vocabulary/identity.ts'
import { api } from '#app/shell/api.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { FaultSummary } from '#app/ui/admin/fault-summary.tsx'
import { SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { PROVIDERS_KEY } from '../identity.queries.ts'
import { PRESETS } from '../identity.schema.ts'
import { ConnectionInputs, EMPTY_CONNECTION, toConnectionAttributes } from './ConnectionInputs.tsx'

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
  const [protocol, setProtocol] = useState<ProviderProtocol>('openid')
  const [connection, setConnection] = useState(EMPTY_CONNECTION)
  const create = useMutation({
    mutationFn: () =>
      api.create('identity-providers', {
        attributes: { preset, protocol, name, audience, ...toConnectionAttributes(protocol, connection) },
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
      <FaultSummary title={admin('editor.problem')} errors={listFaults(create.error)} />
      <SelectInput<ProviderPreset>
        name="preset"
        label={t('preset')}
        value={preset}
        {...(PRESETS[preset].needsAdmission && { hint: t('preset-admission') })}
        onChange={(chosen) => {
          const { protocols, isIssuerKnown, issuer, clientAuth } = PRESETS[chosen]
          setPreset(chosen)
          if (!protocols.includes(protocol)) setProtocol('openid')
          setConnection((before) => ({ ...before, clientAuth, ...(isIssuerKnown && { issuer }) }))
        }}
        options={PROVIDER_PRESETS.map((value) => ({ value, label: t(`presets.${value}`) }))}
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
      <SelectInput
        name="protocol"
        label={t('protocol')}
        hint={t('protocol-hint')}
        value={protocol}
        onChange={setProtocol}
        options={PRESETS[preset].protocols.map((value) => ({ value, label: t(`protocols.${value}`) }))}
      />
      <ConnectionInputs
        protocol={protocol}
        connection={connection}
        onChange={(part) => setConnection((before) => ({ ...before, ...part }))}
        placeholder={PRESETS[preset].issuer}
      />
      <div>
        <Button type="submit" pending={create.isPending}>
          {t('add')}
        </Button>
      </div>
    </form>
  )
}
