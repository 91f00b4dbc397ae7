import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { FileButton } from '#app/ui/admin/file-button.tsx'
import { NumberInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { readPopulationText } from '../reference-populations.functions.ts'
import type { PopulationPreview, PopulationRow } from '../reference-populations.schema.ts'
import { PopulationRows } from './PopulationRows.tsx'
import { populationsQuery } from './populations.queries.ts'
import type { PopulationDocument } from './PopulationsPage.tsx'

const MAX_BYTES = 2_000_000

const isRight = ({ fault, option, people }: PopulationRow) => fault === null && option !== null && people !== null

/** A census table from a file: it is read and shown row by row first, and stored whole once every row is in order. */
export function ImportPopulation({ population, onClose }: { population: PopulationDocument; onClose: () => void }) {
  const { t } = useTranslation('populations')
  const queryClient = useQueryClient()
  const [about, setAbout] = useState({ source: population.source, year: population.year, licence: population.licence })
  const [preview, setPreview] = useState<PopulationPreview>()
  const [isTooLarge, setTooLarge] = useState(false)
  const read = useMutation({
    mutationFn: async (file: File) => readPopulationText({ data: { population: population.id, text: await file.text() } }),
    onMutate: () => setPreview(undefined),
    onSuccess: setPreview,
  })
  const save = useMutation({
    mutationFn: async () => {
      const cells = (preview?.rows ?? []).flatMap(({ category, option, area, people }) =>
        option === null || people === null ? [] : [{ category, option, area, people }],
      )
      await api.update(
        'reference-populations',
        population.id,
        { attributes: { ...about, ...(preview && { cells }) } },
        { lockVersion: population.meta.lockVersion },
      )
    },
    onSuccess: async () => {
      showToast({ text: t('saved') })
      onClose()
      await queryClient.invalidateQueries({ queryKey: populationsQuery.queryKey })
    },
  })
  const words = useEditorTexts(save.error ?? read.error)
  const wrong = preview?.rows.filter((row) => !isRight(row)).length ?? 0
  const chooseFile = (file: File | undefined) => {
    if (!file) return
    setTooLarge(file.size > MAX_BYTES)
    if (file.size <= MAX_BYTES) read.mutate(file)
  }
  return (
    <EditDialog
      title={t(population.cells.length > 0 ? 'replace-named' : 'upload-named', { name: population.label })}
      saveLabel={t('save')}
      // The report says what to do; pressing the button stores nothing before.
      save={{ isPending: save.isPending, mutate: () => preview && wrong === 0 && save.mutate() }}
      faults={words.faults}
      onClose={onClose}
    >
      <TextInput
        name="source"
        label={t('source')}
        hint={t('source-hint')}
        value={about.source}
        onChange={(source) => setAbout({ ...about, source })}
        error={words.messageOf('source')}
        maxLength={300}
        required
      />
      <NumberInput
        name="year"
        label={t('year')}
        value={about.year ?? undefined}
        onChange={(year) => setAbout({ ...about, year: year ?? null })}
        error={words.messageOf('year')}
        min={1900}
        max={2200}
      />
      <TextInput
        name="licence"
        label={t('licence')}
        value={about.licence}
        onChange={(licence) => setAbout({ ...about, licence })}
        error={words.messageOf('licence')}
        maxLength={300}
        required
      />
      <div className="grid gap-2">
        <p className="meta">{t('file-hint')}</p>
        <FileButton label={t('file')} accept={['.csv', '.tsv', '.txt', 'text/csv']} onFiles={([file]) => chooseFile(file)} />
      </div>
      {isTooLarge && <Notice kind="error" title={t('too-large')} />}
      <div aria-live="polite">
        {preview && wrong > 0 && <Notice kind="warning" title={t('faults', { count: wrong })} />}
        {preview && preview.others > 0 && <p className="meta">{t('others', { count: preview.others })}</p>}
      </div>
      {preview && (
        <PopulationRows
          rows={preview.rows}
          options={population.options}
          areas={population.areas}
          onChange={(rows) => setPreview({ ...preview, rows })}
        />
      )}
    </EditDialog>
  )
}
