import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { CheckInput, TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { SectionHead } from '#app/ui/page.tsx'
import { forgetVerifications } from '../verifications.queries.ts'
import { postcodeSettingsQuery } from './ways-of-verifying.queries.ts'

/** Postcodes that people may declare. */
export function PostcodeSettings() {
  const { t } = useTranslation('verifications-admin')
  const [settings] = useSuspenseQuery(postcodeSettingsQuery).data.data
  return (
    <section className="admin-stack" aria-labelledby="postcodes-heading">
      <SectionHead id="postcodes-heading" title={t('postcodes.title')}>
        {t('postcodes.about')}
      </SectionHead>
      {settings && <PostcodeForm key={settings.meta.lockVersion} settings={settings} />}
    </section>
  )
}

const splitPostcodes = (text: string): string[] => text.split(/[\n,;]+/).flatMap((line) => line.trim() || [])

function PostcodeForm({ settings }: { settings: Resource<'postcode-settings'> }) {
  const { t } = useTranslation('verifications-admin')
  const queryClient = useQueryClient()
  const [postcodes, setPostcodes] = useState(() => settings.postcodes.join('\n'))
  const [usesAreas, setUsesAreas] = useState(settings.usesAreas)
  const save = useMutation({
    mutationFn: () =>
      api.update(
        'postcode-settings',
        settings.id,
        { attributes: { postcodes: splitPostcodes(postcodes), usesAreas } },
        { lockVersion: settings.meta.lockVersion },
      ),
    onSuccess: async () => {
      showToast({ text: t('saved') })
      await forgetVerifications(queryClient)
    },
  })
  const { faults, messageOf } = useEditorTexts(save.error)
  return (
    <form
      noValidate
      className="admin-form"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      {faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <CheckInput
        name="usesAreas"
        label={t('postcodes.areas')}
        hint={t('postcodes.areas-hint')}
        value={usesAreas}
        onChange={setUsesAreas}
      />
      <TextAreaInput
        name="postcodes"
        label={t('postcodes.list')}
        hint={t('postcodes.list-hint')}
        value={postcodes}
        onChange={setPostcodes}
        error={messageOf('postcodes')}
      />
      <div>
        <Button type="submit" kind="secondary" pending={save.isPending}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}
