import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadCsv } from '#app/shell/admin/download-csv.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { NumberInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { MAX_CODES } from '#app/features/invitations/invitations.schema.ts'
import { invitationBatchesQuery } from '../../surveys.queries.ts'
import { createBatch, type InvitationSubject } from './invitation-subject.ts'
import { SampleFields } from './SampleFields.tsx'
import { toLetterSample, toSampleDraft } from './sample-draft.ts'

/** Codes for letters: created and downloaded in one step, since only their hashes are stored. */
export function MakeCodes({ subject }: { subject: InvitationSubject }) {
  const { t } = useTranslation('survey-access')
  const { describeError } = useFaultTexts()
  const [draft, setDraft] = useState(() => toSampleDraft(null))
  const sample = toLetterSample(draft)
  const format = useFormat()
  const queryClient = useQueryClient()
  const [count, setCount] = useState<number | undefined>(100)
  const make = useMutation({
    mutationFn: () => createBatch(subject, { kind: 'codes', ...(count ? { count } : {}), ...(sample ? { sample } : {}) }),
    onSuccess: async ({ data: { codes = [], address = '' } }) => {
      downloadCsv(`${subject.slug}-codes.csv`, [
        [t('codes.code'), t('codes.link')],
        ...codes.map((code): [string, string] => [code, `${address}${code}`]),
      ])
      showToast({ kind: 'success', text: t('codes.made', { count: codes.length }) })
      setDraft(toSampleDraft(null))
      await queryClient.invalidateQueries({ queryKey: invitationBatchesQuery(subject).queryKey })
    },
  })
  const { messageOf } = useEditorTexts(make.error)
  const isAboutSample = ['sample.sent', 'sample.population', 'sample.list'].some((field) => messageOf(field) !== undefined)
  return (
    <form
      noValidate
      className="admin-form"
      aria-labelledby="make-codes"
      onSubmit={(event) => {
        event.preventDefault()
        make.mutate()
      }}
    >
      <h3 id="make-codes">{t('codes.title')}</h3>
      <NumberInput
        name="count"
        label={t('codes.count')}
        hint={t('codes.hint', { most: format.number(MAX_CODES) })}
        value={count}
        onChange={setCount}
        min={1}
        max={MAX_CODES}
        error={make.isError && !isAboutSample ? describeError(make.error) : undefined}
      />
      {subject.type === 'surveys' && <SampleFields idPrefix="made" value={draft} onChange={setDraft} codes={count} messageOf={messageOf} />}
      <div>
        <Button type="submit" pending={make.isPending}>
          {t('codes.make')}
        </Button>
      </div>
    </form>
  )
}
