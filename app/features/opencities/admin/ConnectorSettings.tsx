import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import { type Language, LANGUAGES } from '#app/lib/languages.ts'
import { api } from '#app/shell/api.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { FaultSummary } from '#app/ui/admin/fault-summary.tsx'
import { CheckInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { Button } from '#app/ui/button.tsx'
import { forgetCityData } from '../connectors.queries.ts'

/** Polling intervals in minutes. */
const SCHEDULES = { hourly: 60, 'six-hourly': 360, daily: 1440, weekly: 10_080 } as const

interface ConnectorSettingsProps {
  id: string
  connector: { name: string; language: Language; everyMinutes: number; hasToken: boolean; meta: { lockVersion: number } }
  onClose: () => void
}

/** A connector's name, its portal's language, its polling interval, and a field to replace its token. */
export function ConnectorSettings({ id, connector, onClose }: ConnectorSettingsProps) {
  const { t } = useTranslation('city-admin')
  const { t: admin } = useTranslation('admin')
  const queryClient = useQueryClient()
  const { listFaults } = useFaultTexts()
  const [name, setName] = useState(connector.name)
  const [language, setLanguage] = useState(connector.language)
  const [every, setEvery] = useState(String(connector.everyMinutes))
  const [token, setToken] = useState('')
  const [forget, setForget] = useState(false)
  const save = useMutation({
    mutationFn: () =>
      api.update(
        'city-connectors',
        id,
        {
          attributes: {
            name: name.trim(),
            language,
            everyMinutes: Number(every),
            ...(forget ? { token: null } : token.trim() ? { token: token.trim() } : {}),
          },
        },
        { lockVersion: connector.meta.lockVersion },
      ),
    onSuccess: async () => {
      await forgetCityData(queryClient)
      onClose()
    },
  })
  const known = Object.entries(SCHEDULES) as [keyof typeof SCHEDULES, number][]
  const other = known.every(([, minutes]) => String(minutes) !== every)
  return (
    <Dialog
      title={t('settings.title')}
      isOpen
      onClose={onClose}
      closeLabel={admin('confirm.cancel')}
      actions={
        <Button type="submit" form="connector-settings" pending={save.isPending}>
          {admin('save.save')}
        </Button>
      }
    >
      <form
        id="connector-settings"
        noValidate
        className="admin-form"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <FaultSummary title={admin('editor.problem')} errors={listFaults(save.error)} />
        <TextInput name="name" label={t('connectors.name')} value={name} onChange={setName} maxLength={200} />
        <SelectInput
          name="everyMinutes"
          label={t('settings.every')}
          hint={t('settings.every-hint')}
          value={every}
          onChange={setEvery}
          options={[
            ...known.map(([key, minutes]) => ({ value: String(minutes), label: t(`settings.${key}`) })),
            ...(other ? [{ value: every, label: t('settings.minutes', { count: Number(every) }) }] : []),
          ]}
        />
        <SelectInput
          name="language"
          label={t('new.language')}
          hint={t('new.language-hint')}
          value={language}
          onChange={setLanguage}
          options={LANGUAGES.map((value) => ({ value, label: getLanguageName(value) }))}
        />
        {!forget && (
          <TextInput
            name="token"
            label={connector.hasToken ? t('settings.other-token') : t('new.token')}
            hint={t('new.token-hint')}
            value={token}
            onChange={setToken}
          />
        )}
        {connector.hasToken && <CheckInput name="forget" label={t('settings.forget-token')} value={forget} onChange={setForget} />}
      </form>
    </Dialog>
  )
}
