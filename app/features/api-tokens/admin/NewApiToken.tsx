import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { API_AREAS, type ApiAccess, type ApiArea, type ApiScope } from '#app/lib/vocabulary/api-scopes.ts'
import { api } from '#app/shell/api.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { FaultSummary } from '#app/ui/admin/fault-summary.tsx'
import { SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { apiTokensQuery } from '../api-tokens.queries.ts'

const DAYS = ['30', '90', '365'] as const
const DAY_MS = 86_400_000
type Access = 'none' | ApiAccess
const NOTHING = Object.fromEntries(API_AREAS.map((area) => [area, 'none'])) as Record<ApiArea, Access>

/** A form that makes a token and shows it once. */
export function NewApiToken() {
  const { t } = useTranslation('api')
  const { t: admin } = useTranslation('admin')
  const { listFaults } = useFaultTexts()
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [days, setDays] = useState<(typeof DAYS)[number]>('90')
  const [access, setAccess] = useState(NOTHING)
  const [copied, setCopied] = useState('')
  const scopes = API_AREAS.flatMap((area): ApiScope[] => (access[area] === 'none' ? [] : [`${area}:${access[area]}`]))
  const make = useMutation({
    mutationFn: () =>
      api.create('api-tokens', { attributes: { name, scopes, expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() } }),
    onSuccess: async () => {
      setName('')
      setAccess(NOTHING)
      await queryClient.invalidateQueries({ queryKey: apiTokensQuery.queryKey })
    },
  })
  const token = make.data?.data.token
  return (
    <section className="admin-panel">
      <h2>{t('tokens.new')}</h2>
      <FaultSummary title={admin('editor.problem')} errors={listFaults(make.error)} />
      {token && (
        <Notice kind="success" title={t('tokens.made')}>
          <p>
            <code className="hook-address">{token}</code>
          </p>
          <p>{t('tokens.once')}</p>
          <p>
            <code className="hook-address">{`x-api-token: Bearer ${token}`}</code>
          </p>
          <div className="row">
            <Button kind="secondary" size="small" onClick={() => void navigator.clipboard.writeText(token).then(() => setCopied(token))}>
              {t('tokens.copy')}
            </Button>
            <output>{copied === token && t('tokens.copied')}</output>
          </div>
        </Notice>
      )}
      <form
        className="admin-form"
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate()
        }}
      >
        <TextInput
          name="name"
          label={t('tokens.name')}
          hint={t('tokens.name-hint')}
          value={name}
          onChange={setName}
          maxLength={80}
          required
        />
        <fieldset className="admin-form">
          <legend>{t('tokens.scopes')}</legend>
          {API_AREAS.map((area) => (
            <SelectInput<Access>
              key={area}
              name={`scopes.${area}`}
              label={t(`tokens.areas.${area}`)}
              value={access[area]}
              onChange={(chosen) => setAccess({ ...access, [area]: chosen })}
              options={(['none', 'read', 'write'] as const).map((value) => ({ value, label: t(`tokens.access.${value}`) }))}
            />
          ))}
        </fieldset>
        <SelectInput
          name="expiresAt"
          label={t('tokens.ends')}
          value={days}
          onChange={setDays}
          options={DAYS.map((value) => ({ value, label: t(`tokens.days.${value}`) }))}
        />
        <div>
          <Button type="submit" pending={make.isPending} disabled={!name.trim() || scopes.length === 0}>
            {t('tokens.make')}
          </Button>
        </div>
      </form>
    </section>
  )
}
