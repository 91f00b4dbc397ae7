import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { profileQuestionsQuery } from '#app/features/profile/profile.queries.ts'
import { GROUP_SEPARATORS, PROVIDER_AUDIENCES } from '#app/lib/vocabulary/identity.ts'
import { VERIFICATION_LEVELS } from '#app/lib/vocabulary/verifications.ts'
import { api } from '#app/shell/api.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { FaultSummary } from '#app/ui/admin/fault-summary.tsx'
import { CheckInput, SelectInput, TextAreaInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { useEditedFields } from '#app/ui/admin/use-edited-fields.ts'
import { Button } from '#app/ui/button.tsx'
import { PROVIDERS_KEY } from '../identity.queries.ts'
import { PRESETS } from '../identity.schema.ts'
import { ConnectionInputs, toConnectionAttributes } from './ConnectionInputs.tsx'
import type { Provider } from './provider.ts'
import { RoleRules } from './RoleRules.tsx'

const NOTHING = 'nothing'

const splitLines = (text: string) => text.split('\n').flatMap((line) => line.trim() || [])

/** All settings of a provider. */
export function ProviderSettings({ provider }: { provider: Provider }) {
  const { t } = useTranslation('identity-admin')
  const { t: words } = useTranslation('verifications')
  const { t: admin } = useTranslation('admin')
  const { listFaults } = useFaultTexts()
  const queryClient = useQueryClient()
  const { protocol, name, audience, provesEmail, createsAccounts, provesLevel, claims, groupSeparator, roleRules } = provider
  const { issuer, clientId, clientAuth, assertionEncryption, signsRequests } = provider
  const { vectors } = PRESETS[provider.preset]
  const connection = {
    issuer,
    clientId,
    clientAuth,
    clientSecret: '',
    metadataAddress: provider.metadataAddress ?? '',
    ssoUrl: provider.ssoUrl ?? '',
    certificates: provider.certificates.join('\n'),
    assertionEncryption,
    signsRequests,
  }
  const saved = { name, audience, provesEmail, createsAccounts, provesLevel, claims, groupSeparator, roleRules, ...connection }
  const lists = { domains: provider.allowedDomains.join('\n'), levels: provider.requiredAcr.join('\n') }
  const { fields, changed, change, reset } = useEditedFields({ ...saved, ...lists })
  const [savedOnce, setSavedOnce] = useState(false)
  const save = useMutation({
    mutationFn: () => {
      const { domain, answers = {}, ...names } = fields.claims
      const named = Object.entries(answers).filter(([, claim]) => claim.trim())
      return api.update(
        'identity-providers',
        provider.id,
        {
          attributes: {
            name: fields.name,
            audience: fields.audience,
            provesEmail: fields.provesEmail,
            createsAccounts: fields.createsAccounts,
            provesLevel: fields.audience === 'residents' ? fields.provesLevel : null,
            groupSeparator: fields.groupSeparator,
            roleRules: fields.roleRules,
            ...toConnectionAttributes(protocol, fields),
            claims: { ...names, ...(domain?.trim() && { domain }), ...(named.length > 0 && { answers: Object.fromEntries(named) }) },
            allowedDomains: splitLines(fields.domains),
            requiredAcr: splitLines(fields.levels),
          },
        },
        { lockVersion: provider.meta.lockVersion },
      )
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: PROVIDERS_KEY })
      reset()
      setSavedOnce(true)
    },
  })
  return (
    <form
      noValidate
      className="admin-form admin-panel"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <h2>{t('settings')}</h2>
      <FaultSummary title={admin('editor.problem')} errors={listFaults(save.error)} />
      <TextInput
        name="name"
        label={t('name')}
        hint={t('name-hint')}
        value={fields.name}
        onChange={(to) => change({ name: to })}
        maxLength={60}
      />
      <SelectInput
        name="audience"
        label={t('audience')}
        hint={t('audience-hint')}
        value={fields.audience}
        onChange={(to) => change({ audience: to })}
        options={PROVIDER_AUDIENCES.map((value) => ({ value, label: t(`audiences.${value}`) }))}
      />
      <ConnectionInputs protocol={protocol} connection={fields} onChange={change} hasSecret={provider.hasSecret} />
      <CheckInput
        name="provesEmail"
        label={t('proves-email')}
        hint={t('proves-email-hint')}
        value={fields.provesEmail}
        onChange={(to) => change({ provesEmail: to })}
      />
      <CheckInput
        name="createsAccounts"
        label={t('creates-accounts')}
        hint={t('creates-accounts-hint')}
        value={fields.createsAccounts}
        onChange={(to) => change({ createsAccounts: to })}
      />
      <TextAreaInput
        name="allowedDomains"
        label={t('domains')}
        hint={t('domains-hint')}
        value={fields.domains}
        onChange={(to) => change({ domains: to })}
      />
      {!vectors && (
        <TextAreaInput
          name="requiredAcr"
          label={t('levels')}
          hint={t('levels-hint')}
          value={fields.levels}
          onChange={(to) => change({ levels: to })}
        />
      )}
      {fields.audience === 'residents' && (
        <SelectInput
          name="provesLevel"
          label={t('proves-level')}
          hint={t(vectors ? 'proves-level-documents' : 'proves-level-hint')}
          value={fields.provesLevel ?? NOTHING}
          onChange={(to) => change({ provesLevel: to === NOTHING ? null : to })}
          options={[
            { value: NOTHING, label: t('proves-nothing') },
            ...VERIFICATION_LEVELS.map((value) => ({ value, label: words(`levels.${value}`) })),
          ]}
        />
      )}
      <ClaimInputs claims={fields.claims} onChange={(to) => change({ claims: to })} />
      {fields.audience === 'staff' && (
        <SelectInput
          name="groupSeparator"
          label={t('group-separator')}
          hint={t('group-separator-hint')}
          value={fields.groupSeparator}
          onChange={(to) => change({ groupSeparator: to })}
          options={GROUP_SEPARATORS.map((value) => ({ value, label: t(`group-separators.${value}`) }))}
        />
      )}
      {fields.audience === 'staff' && <RoleRules rules={fields.roleRules} onChange={(to) => change({ roleRules: to })} />}
      <div className="row">
        <Button type="submit" pending={save.isPending} disabled={changed.length === 0}>
          {t('save')}
        </Button>
        <output>{savedOnce && changed.length === 0 && t(provider.waitingChange ? 'waiting.asked' : 'saved')}</output>
      </div>
    </form>
  )
}

function ClaimInputs({ claims, onChange }: { claims: Provider['claims']; onChange: (next: Provider['claims']) => void }) {
  const { t } = useTranslation('identity-admin')
  return (
    <fieldset className="admin-form">
      <legend>{t('claims')}</legend>
      <p>{t('claims-text')}</p>
      {(['email', 'name', 'groups'] as const).map((one) => (
        <TextInput
          key={one}
          name={one}
          label={t(`claim-${one}`)}
          value={claims[one]}
          onChange={(to) => onChange({ ...claims, [one]: to })}
          maxLength={120}
        />
      ))}
      <TextInput
        name="domain"
        label={t('claim-domain')}
        hint={t('claim-domain-hint')}
        value={claims.domain ?? ''}
        onChange={(to) => onChange({ ...claims, domain: to })}
        maxLength={120}
      />
      <AnswerClaimInputs answers={claims.answers ?? {}} onChange={(answers) => onChange({ ...claims, answers })} />
    </fieldset>
  )
}

type AnswerClaims = NonNullable<Provider['claims']['answers']>

/** One field for each question that is asked now. People give sensitive answers themselves. */
function AnswerClaimInputs({ answers, onChange }: { answers: AnswerClaims; onChange: (next: AnswerClaims) => void }) {
  const { t } = useTranslation('identity-admin')
  const { data: questions = [] } = useQuery(profileQuestionsQuery)
  const asked = questions.filter(({ status, sensitive }) => status === 'live' && !sensitive)
  if (asked.length === 0) return null
  return (
    <fieldset className="admin-form">
      <legend>{t('claim-answers')}</legend>
      <p>{t('claim-answers-text')}</p>
      {asked.map(({ key, label }) => (
        <TextInput
          key={key}
          name={`answers.${key}`}
          label={label}
          value={answers[key] ?? ''}
          onChange={(to) => onChange({ ...answers, [key]: to })}
          maxLength={120}
        />
      ))}
    </fieldset>
  )
}
