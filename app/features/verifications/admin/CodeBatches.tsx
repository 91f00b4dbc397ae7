import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadCsv } from '#app/shell/admin/download-csv.ts'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { VERIFICATION_LEVELS } from '#app/lib/vocabulary/verifications.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useNotShown } from '#app/shell/use-not-shown.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { NumberInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { SectionHead } from '#app/ui/page.tsx'
import { forgetVerifications } from '../verifications.queries.ts'
import { MAX_LETTERS } from '../verifications.schema.ts'
import { findHourInAYear } from './in-a-year.ts'
import { codeBatchesQuery } from './ways-of-verifying.queries.ts'

type Batch = Resource<'code-batches'>

/** Codes that the organisation sends to people in letters. */
export function CodeBatches() {
  const { t } = useTranslation('verifications-admin')
  const { t: words } = useTranslation('verifications')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { notShown } = useNotShown()
  const batches = useSuspenseQuery(codeBatchesQuery).data.data
  const [isMaking, setMaking] = useState(false)
  const [changing, setChanging] = useState<{ batch: Batch; how: 'end' | 'delete' }>()
  return (
    <section className="admin-stack" aria-labelledby="letters-heading">
      <SectionHead
        id="letters-heading"
        title={t('letters.title')}
        link={
          <Button kind="secondary" onClick={() => setMaking(true)}>
            {t('letters.make')}
          </Button>
        }
      >
        {t('letters.about')}
      </SectionHead>
      <DataTable
        caption={t('letters.title')}
        rows={batches}
        rowKey={({ id }) => id}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('letters.none')}>{t('letters.none-text')}</EmptyState>}
        columns={[
          { id: 'name', head: t('letters.name'), names: true, cell: ({ name }) => name },
          { id: 'level', head: t('columns.level'), secondary: true, cell: ({ level }) => words(`levels.${level}`) },
          {
            id: 'until',
            head: t('letters.until'),
            underName: true,
            cell: ({ validUntil, isEnded }) => (isEnded ? t('letters.ended') : format.shortDate(validUntil)),
          },
          { id: 'total', head: t('letters.codes'), align: 'end', cell: ({ total }) => format.number(total) },
          {
            id: 'used',
            head: t('letters.used'),
            align: 'end',
            secondary: true,
            cell: ({ used }) => (used === null ? notShown : format.number(used)),
          },
          {
            id: 'change',
            acts: true,
            head: <span className="visually-hidden">{t('change')}</span>,
            cell: (batch) => (
              <span className="row">
                {!batch.isEnded && (
                  <Button kind="plain" size="small" onClick={() => setChanging({ batch, how: 'end' })}>
                    {t('letters.end')}
                    <span className="visually-hidden"> {batch.name}</span>
                  </Button>
                )}
                <Button kind="plain" size="small" onClick={() => setChanging({ batch, how: 'delete' })}>
                  {t('delete')}
                  <span className="visually-hidden"> {batch.name}</span>
                </Button>
              </span>
            ),
          },
        ]}
      />
      {isMaking && <MakeLetterCodes onClose={() => setMaking(false)} />}
      {changing && <ConfirmChange {...changing} onClose={() => setChanging(undefined)} />}
    </section>
  )
}

function ConfirmChange({ batch, how, onClose }: { batch: Batch; how: 'end' | 'delete'; onClose: () => void }) {
  const { t } = useTranslation('verifications-admin')
  const { t: admin } = useTranslation('admin')
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: async () => {
      if (how === 'end') await api.update('code-batches', batch.id, { attributes: { isEnded: true } })
      else await api.remove('code-batches', batch.id)
    },
    onSuccess: async () => {
      onClose()
      await forgetVerifications(queryClient)
    },
  })
  const { faults } = useEditorTexts(change.error)
  return (
    <ConfirmDialog
      title={t(how === 'end' ? 'letters.end-sure' : 'delete-sure', { name: batch.name })}
      isOpen
      onClose={onClose}
      confirmLabel={t(how === 'end' ? 'letters.end' : 'delete')}
      cancelLabel={admin('confirm.cancel')}
      danger
      onConfirm={() => change.mutate()}
    >
      {faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      {t(how === 'end' ? 'letters.end-text' : 'letters.delete-text')}
    </ConfirmDialog>
  )
}

/** Codes are made and downloaded in one step, since only their hashes are stored. */
function MakeLetterCodes({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('verifications-admin')
  const { t: words } = useTranslation('verifications')
  const { words: moment } = useMomentTexts()
  const format = useFormat()
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [count, setCount] = useState<number | undefined>(100)
  const [level, setLevel] = useState<Batch['level']>('resident')
  const [validUntil, setValidUntil] = useState<string | undefined>(findHourInAYear)
  const make = useMutation({
    mutationFn: () => api.create('code-batches', { attributes: { name, level, count: count ?? 0, validUntil: validUntil ?? '' } }),
    onSuccess: async ({ data: { codes = [], address = '' } }) => {
      downloadCsv('letters.csv', [
        [t('letters.code'), t('letters.link')],
        ...codes.map((code): [string, string] => [code, `${address}${code}`]),
      ])
      onClose()
      showToast({ kind: 'success', text: t('letters.made', { count: codes.length }) })
      await forgetVerifications(queryClient)
    },
  })
  const editor = useEditorTexts(make.error)
  return (
    <EditDialog
      title={t('letters.make')}
      saveLabel={t('letters.make-and-download')}
      save={make}
      faults={editor.faults}
      onClose={onClose}
      size="medium"
    >
      <TextInput
        name="name"
        label={t('letters.name')}
        hint={t('letters.name-hint')}
        value={name}
        onChange={setName}
        maxLength={120}
        error={editor.messageOf('name')}
      />
      <NumberInput
        name="count"
        label={t('letters.count')}
        hint={t('letters.count-hint', { most: format.number(MAX_LETTERS) })}
        value={count}
        onChange={setCount}
        min={1}
        max={MAX_LETTERS}
        digits={10}
        error={editor.messageOf('count')}
      />
      <SelectInput
        name="level"
        label={t('level')}
        value={level}
        onChange={setLevel}
        options={VERIFICATION_LEVELS.map((value) => ({ value, label: words(`levels.${value}`) }))}
      />
      <DateTimeField
        name="validUntil"
        label={t('letters.until')}
        hint={t('letters.until-hint')}
        value={validUntil}
        onChange={setValidUntil}
        error={editor.messageOf('validUntil')}
        {...moment}
      />
    </EditDialog>
  )
}
