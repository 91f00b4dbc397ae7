import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sendFile } from '#app/features/media/media.resumable-upload.queries.ts'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { FileButton } from '#app/ui/admin/file-button.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { MAX_MAP_BYTES } from '../streets/map-files.schema.ts'
import { forgetMapFile, mapFileQuery } from '../streets/map-files.queries.ts'
import { UncoveredAreas } from './UncoveredAreas.tsx'

/** The map file of the site's streets: which it is, and another in its place. Each change takes effect at once. */
export function StreetMap() {
  const { t } = useTranslation('platform')
  const format = useFormat()
  const [file] = useSuspenseQuery(mapFileQuery).data.data
  return (
    <section className="admin-panel admin-stack" aria-labelledby="street-map">
      <h2 id="street-map">{t('street-map.title')}</h2>
      <p>{t('street-map.about', { size: format.bytes(MAX_MAP_BYTES) })}</p>
      <UncoveredAreas />
      {file ? <CurrentMap key={file.id} file={file} /> : <p>{t('street-map.none')}</p>}
      <GiveMap isFirst={!file} />
    </section>
  )
}

function CurrentMap({ file }: { file: Resource<'map-files'> }) {
  const { t } = useTranslation('platform')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [credit, setCredit] = useState(file.credit)
  const [isLeaving, setLeaving] = useState(false)
  const onSuccess = () => forgetMapFile(queryClient)
  const save = useMutation({ mutationFn: () => api.update('map-files', file.id, { attributes: { credit } }), onSuccess })
  const remove = useMutation({ mutationFn: () => api.remove('map-files', file.id), onSuccess })
  const { messageOf } = useEditorTexts(save.error)
  const { faults } = useEditorTexts(remove.error)
  return (
    <>
      <dl className="admin-facts">
        <dt>{t('street-map.file')}</dt>
        <dd>{file.name}</dd>
        <dt>{t('street-map.size')}</dt>
        <dd>{format.bytes(file.bytes)}</dd>
        <dt>{t('street-map.tiles')}</dt>
        <dd>{format.number(file.tiles)}</dd>
      </dl>
      {faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <div className="admin-form">
        <TextInput name="credit" label={t('street-map.credit')} value={credit} onChange={setCredit} error={messageOf('credit')} required />
        <span className="row">
          <Button size="small" pending={save.isPending} disabled={credit === file.credit} onClick={() => save.mutate()}>
            {t('street-map.save')}
          </Button>
          {isLeaving ? (
            <>
              <Button size="small" kind="secondary" pending={remove.isPending} onClick={() => remove.mutate()}>
                {t('street-map.remove-sure')}
              </Button>
              <Button kind="plain" size="small" onClick={() => setLeaving(false)}>
                {t('street-map.cancel')}
              </Button>
            </>
          ) : (
            <Button kind="plain" size="small" onClick={() => setLeaving(true)}>
              {t('street-map.remove')}
            </Button>
          )}
        </span>
      </div>
    </>
  )
}

/** A file from this device, or an address to download it from. */
function GiveMap({ isFirst }: { isFirst: boolean }) {
  const { t } = useTranslation('platform')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [credit, setCredit] = useState('')
  const [address, setAddress] = useState('')
  const [isTooLarge, setTooLarge] = useState(false)
  const give = useMutation({
    mutationFn: async (file: File | undefined) => {
      const source = file ? { upload: await sendFile(file, () => undefined, new AbortController().signal) } : { address }
      await api.create('map-files', { attributes: { ...source, ...(credit.trim() && { credit }) } })
    },
    onSuccess: async () => {
      setAddress('')
      setCredit('')
      await forgetMapFile(queryClient)
    },
  })
  const { faults, messageOf } = useEditorTexts(give.error)
  const shown = faults.filter(({ message }) => message !== messageOf('credit') && message !== messageOf('address'))
  return (
    <div className="admin-form">
      {isTooLarge && <Notice kind="error" title={t('street-map.too-large', { size: format.bytes(MAX_MAP_BYTES) })} />}
      {shown.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      {give.isSuccess && <Notice kind="success" title={t('street-map.saved')} />}
      <TextInput
        name="new-credit"
        label={t('street-map.credit')}
        hint={t('street-map.credit-hint')}
        value={credit}
        onChange={setCredit}
        error={messageOf('credit')}
      />
      <TextInput
        name="address"
        type="url"
        label={t('street-map.address')}
        hint={t('street-map.address-hint')}
        value={address}
        onChange={setAddress}
        error={messageOf('address')}
      />
      <span className="row">
        <FileButton
          label={t(give.isPending ? 'street-map.sending' : isFirst ? 'street-map.choose' : 'street-map.replace')}
          accept={['.pmtiles', '.geojson', '.json', 'application/geo+json']}
          onFiles={([file]) => {
            give.reset()
            setTooLarge(file !== undefined && file.size > MAX_MAP_BYTES)
            if (file && file.size <= MAX_MAP_BYTES) give.mutate(file)
          }}
        />
        <Button kind="secondary" disabled={!address.trim()} pending={give.isPending} onClick={() => give.mutate(undefined)}>
          {t('street-map.download')}
        </Button>
      </span>
    </div>
  )
}
