import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { isAppError } from '#app/lib/app-error.ts'
import { CheckInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { saveEmbedDomain } from '../embeds.functions.ts'
import { embedSettingsQuery } from '../embeds.queries.ts'
import { type EmbedDomain, hostSchema } from '../embeds.schema.ts'

const EMPTY_DOMAIN: EmbedDomain = { host: '', mayFrame: true, showsHere: false }

/** Adds a domain, or changes the rights of a listed one. */
export function DomainForm() {
  const { t } = useTranslation('embeds')
  const queryClient = useQueryClient()
  const [domain, setDomain] = useState(EMPTY_DOMAIN)
  const [wrong, setWrong] = useState(false)
  const updateDomain = (changes: Partial<EmbedDomain>) => setDomain((before) => ({ ...before, ...changes }))
  const save = useMutation({
    mutationFn: (data: EmbedDomain) => saveEmbedDomain({ data }),
    onSuccess: async (_, { host }) => {
      await queryClient.invalidateQueries(embedSettingsQuery)
      setDomain(EMPTY_DOMAIN)
      showToast({ text: t('saved', { host }) })
    },
  })
  return (
    <form
      className="admin-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const host = v.safeParse(hostSchema, domain.host)
        setWrong(!host.success)
        if (host.success) save.mutate({ ...domain, host: host.output })
      }}
    >
      {save.isError && <Notice kind="error" title={isAppError(save.error) && save.error.code === 'conflict' ? t('full') : t('failed')} />}
      <TextInput
        name="host"
        label={t('domain')}
        hint={t('domain-hint')}
        value={domain.host}
        onChange={(host) => updateDomain({ host })}
        error={wrong ? t('domain-wrong') : undefined}
      />
      <CheckInput name="mayFrame" label={t('frame')} value={domain.mayFrame} onChange={(mayFrame) => updateDomain({ mayFrame })} />
      <CheckInput name="showsHere" label={t('shows')} value={domain.showsHere} onChange={(showsHere) => updateDomain({ showsHere })} />
      <div>
        <Button type="submit" pending={save.isPending}>
          {t('add')}
        </Button>
      </div>
    </form>
  )
}
