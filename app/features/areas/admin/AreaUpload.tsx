import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sendFile } from '#app/features/media/media.resumable-upload.queries.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { MAP_GRIDS, type MapGrid } from '#app/lib/geometry.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { FileButton } from '#app/ui/admin/file-button.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { invalidateAreas } from '../areas.queries.ts'
import { readAreaUpload, storeAreaUpload } from '../files/area-files.functions.ts'
import { type AreaColumns, type AreaFilePreview, MAX_AREA_FILE_BYTES, type StoredAreas } from '../files/area-files.schema.ts'
import { AreaPreview } from './AreaPreview.tsx'

/** A file that was sent, and how it is read. */
interface SentFile {
  name: string
  upload: string
  convertFrom: MapGrid | null
  isSwapped: boolean
  columns?: AreaColumns
}

const isGrid = (code: string): code is MapGrid => (MAP_GRIDS as readonly string[]).includes(code)

/** Areas from a file: it is read and shown first, and stored by a second button. The file is sent once. */
export function AreaUpload() {
  const { t } = useTranslation('areas-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [isTooLarge, setTooLarge] = useState(false)
  const [sent, setSent] = useState<SentFile>()
  /** While other columns are read, the preview before stays. */
  const [shown, setShown] = useState<AreaFilePreview>()
  const [missing, setMissing] = useState<'keep' | 'remove'>('keep')
  const read = useMutation({
    mutationFn: async (chosen: File | SentFile) => {
      const file =
        chosen instanceof File
          ? {
              name: chosen.name,
              upload: await sendFile(chosen, () => undefined, new AbortController().signal),
              convertFrom: null,
              isSwapped: false,
            }
          : chosen
      setSent(file)
      const { name: _, ...choice } = file
      return readAreaUpload({ data: choice })
    },
    // One after the other, so that the last one that was asked for is shown.
    scope: { id: 'read-areas' },
    onSuccess: setShown,
  })
  const preview = sent && !read.isError ? shown : undefined
  const store = useMutation({
    mutationFn: async () => {
      if (!sent || !preview) return undefined
      const { name: _, ...choice } = sent
      return storeAreaUpload({ data: { ...choice, columns: preview.chosen, missing, version: preview.version } })
    },
    onSuccess: async () => {
      setSent(undefined)
      setShown(undefined)
      read.reset()
      await invalidateAreas(queryClient)
    },
  })
  const start = (file: File | undefined) => {
    store.reset()
    read.reset()
    setShown(undefined)
    setSent(undefined)
    setTooLarge(file !== undefined && file.size > MAX_AREA_FILE_BYTES)
    if (file && file.size <= MAX_AREA_FILE_BYTES) read.mutate(file)
  }
  return (
    <section className="admin-panel" aria-labelledby="area-file">
      <h2 id="area-file">{t('file.title')}</h2>
      <p>{t('file.about', { size: format.bytes(MAX_AREA_FILE_BYTES) })}</p>
      {isTooLarge && <Notice kind="error" title={t('file.too-large', { size: format.bytes(MAX_AREA_FILE_BYTES) })} />}
      <ReadingFault error={read.error} sent={sent} isPending={read.isPending} onRead={(file) => read.mutate(file)} />
      {store.data && <StoredNotice stored={store.data} />}
      <span className="row">
        <FileButton
          label={t(read.isPending ? 'file.sending' : preview ? 'file.other' : 'file.choose')}
          accept={['.geojson', '.json', '.zip', '.kml', '.kmz', 'application/geo+json']}
          onFiles={([file]) => start(file)}
        />
      </span>
      {sent && preview && (
        <>
          <AreaPreview
            name={sent.name}
            preview={preview}
            missing={missing}
            onColumns={(columns) => read.mutate({ ...sent, columns })}
            onMissing={setMissing}
          />
          <StoreFault error={store.error} onAgain={() => read.mutate({ ...sent, columns: preview.chosen })} />
          <StoreButtons
            count={preview.areas.filter(({ fault }) => fault === null).length}
            isPending={store.isPending}
            isReading={read.isPending}
            onStore={() => store.mutate()}
            onCancel={() => start(undefined)}
          />
        </>
      )}
    </section>
  )
}

interface ReadingFaultProps {
  error: unknown
  sent: SentFile | undefined
  isPending: boolean
  onRead: (file: SentFile) => void
}

/** Why a file cannot be read, and how it can be after all. */
function ReadingFault({ error, sent, isPending, onRead }: ReadingFaultProps) {
  const { t } = useTranslation('areas-admin')
  const { faults } = useEditorTexts(error)
  const codes = isAppError(error) ? error.faults.map(({ code }) => code) : []
  const grid = codes.find(isGrid)
  const isSwapped = codes.includes('area-file-swapped')
  return faults.map(({ message }) => (
    <Notice key={message} kind="error" title={message}>
      {(grid ?? isSwapped) && <p>{t(grid ? 'file.convert-text' : 'file.swap-text')}</p>}
      {grid && sent && (
        <Button kind="secondary" size="small" pending={isPending} onClick={() => onRead({ ...sent, convertFrom: grid })}>
          {t('file.convert')}
        </Button>
      )}
      {isSwapped && sent && (
        <Button kind="secondary" size="small" pending={isPending} onClick={() => onRead({ ...sent, isSwapped: true })}>
          {t('file.swap')}
        </Button>
      )}
    </Notice>
  ))
}

function StoreFault({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const { t } = useTranslation('areas-admin')
  const { faults, stale } = useEditorTexts(error)
  if (!stale) return faults.map(({ message }) => <Notice key={message} kind="error" title={message} />)
  return (
    <Notice kind="error" title={t('file.stale')}>
      <p>{t('file.stale-text')}</p>
      <Button kind="secondary" size="small" onClick={onAgain}>
        {t('file.again')}
      </Button>
    </Notice>
  )
}

interface StoreButtonsProps {
  count: number
  isPending: boolean
  isReading: boolean
  onStore: () => void
  onCancel: () => void
}

function StoreButtons({ count, isPending, isReading, onStore, onCancel }: StoreButtonsProps) {
  const { t } = useTranslation('areas-admin')
  const format = useFormat()
  return (
    <span className="row">
      <Button pending={isPending} disabled={count === 0 || isReading} onClick={onStore}>
        {t('file.store', { count, number: format.number(count) })}
      </Button>
      <Button kind="plain" onClick={onCancel}>
        {t('file.cancel')}
      </Button>
    </span>
  )
}

function StoredNotice({ stored: { added, changed, removed, setAside } }: { stored: StoredAreas }) {
  const { t } = useTranslation('areas-admin')
  const format = useFormat()
  const said = (
    [
      ['file.added', added],
      ['file.changed', changed],
      ['file.removed', removed],
      ['file.aside', setAside],
    ] as const
  ).flatMap(([key, count]) => (count > 0 ? [t(key, { count, number: format.number(count) })] : []))
  return (
    <Notice kind="success" title={t('file.done-title')}>
      {said.length > 0 && <p>{said.join(' ')}</p>}
    </Notice>
  )
}
