import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sendFile } from '#app/features/media/media.resumable-upload.queries.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { MAP_GRIDS, type MapGrid } from '#app/lib/geometry.ts'
import { hasText, type Translated } from '#app/lib/translated.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { MoveButtons } from '#app/ui/admin/move-buttons.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { FileButton } from '#app/ui/admin/file-button.tsx'
import { CheckInput, SelectInput } from '#app/ui/admin/inputs.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { LAYER_PARTS, MAX_LAYER_BYTES, MAX_LAYERS } from '../layers/layers.schema.ts'
import { LayerSample } from '../layers/MapLayers.tsx'
import { LAYER_PATTERNS, type LayerPattern } from '#app/lib/vocabulary/contributions.ts'
import { forgetContributions } from '../contributions.queries.ts'
import { type LayerDocument, layersQuery } from './layers.queries.ts'

interface ActivityLayersProps {
  activity: { id: string; title: string }
  onClose: () => void
}

/** Layers of an activity's map. Each change takes effect at once. */
export function ActivityLayers({ activity, onClose }: ActivityLayersProps) {
  const { t } = useTranslation('contributions-admin')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const layers = useQuery(layersQuery(activity.id))
  const [editing, setEditing] = useState<LayerDocument>()
  const rows = layers.data?.data ?? []
  return (
    <Dialog title={t('layers.of', { name: activity.title })} isOpen onClose={onClose} closeLabel={admin('nav.close-dialog')} size="large">
      <div className="admin-stack">
        <p>{t('layers.about', { size: format.bytes(MAX_LAYER_BYTES), max: MAX_LAYERS })}</p>
        {layers.isPending && <Skeleton label={common('loading')} lines={3} />}
        {layers.isError && <Notice kind="error" title={t('common.load-failed')} />}
        <ol className="admin-list">
          {rows.map((layer, at) => (
            <li key={layer.id} className="admin-panel">
              {editing?.id === layer.id ? (
                <EditLayer
                  key={layer.meta.lockVersion}
                  layer={layer}
                  taken={rows.filter(({ id }) => id !== layer.id).map(({ pattern }) => pattern)}
                  onDone={() => setEditing(undefined)}
                />
              ) : (
                <LayerRow layer={layer} at={at} count={rows.length} onEdit={() => setEditing(layer)} />
              )}
            </li>
          ))}
        </ol>
        {layers.data && rows.length < MAX_LAYERS && <AddLayer activity={activity.id} />}
      </div>
    </Dialog>
  )
}

interface LayerRowProps {
  layer: LayerDocument
  at: number
  count: number
  onEdit: () => void
}

function LayerRow({ layer, at, count, onEdit }: LayerRowProps) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [isLeaving, setLeaving] = useState(false)
  const change = useMutation({
    mutationFn: (attributes: { position?: number; visible?: boolean }) =>
      api.update('map-layers', layer.id, { attributes }, { lockVersion: layer.meta.lockVersion }),
    onSettled: () => forgetContributions(queryClient),
  })
  const remove = useMutation({
    mutationFn: () => api.remove('map-layers', layer.id),
    onSettled: () => forgetContributions(queryClient),
  })
  const { faults } = useEditorTexts(change.error ?? remove.error)
  const { name } = layer
  return (
    <>
      <span className="row">
        <LayerSample pattern={layer.pattern} parts={LAYER_PARTS} />
        <span>
          <strong>{name}</strong>
          <br />
          {t('layers.features', { count: layer.features, number: format.number(layer.features) })} · {format.bytes(layer.bytes)}
          {layer.simplified && ` · ${t('layers.simplified')}`}
          {layer.convertedFrom && ` · ${t(`layers.converted.${layer.convertedFrom}`)}`}
        </span>
      </span>
      {faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <span className="row">
        <MoveButtons
          labels={{ up: t('layers.up', { name }), down: t('layers.down', { name }) }}
          at={at}
          count={count}
          isPending={change.isPending}
          onMove={(position) => change.mutate({ position })}
        />
        <CheckInput
          name={`visible.${layer.id}`}
          label={t('layers.visible', { name })}
          value={layer.visible}
          onChange={(visible) => change.mutate({ visible })}
        />
        <Button kind="plain" size="small" onClick={onEdit}>
          {t('common.edit')}
          <span className="visually-hidden"> {name}</span>
        </Button>
        {isLeaving ? (
          <>
            <Button size="small" pending={remove.isPending} onClick={() => remove.mutate()}>
              {t('layers.remove-sure', { name })}
            </Button>
            <Button kind="plain" size="small" onClick={() => setLeaving(false)}>
              {t('common.cancel')}
            </Button>
          </>
        ) : (
          <Button kind="plain" size="small" onClick={() => setLeaving(true)}>
            {t('common.remove')}
            <span className="visually-hidden"> {name}</span>
          </Button>
        )}
      </span>
    </>
  )
}

interface EditLayerProps {
  layer: LayerDocument
  taken: readonly LayerPattern[]
  onDone: () => void
}

function EditLayer({ layer, taken, onDone }: EditLayerProps) {
  const { t } = useTranslation('contributions-admin')
  const queryClient = useQueryClient()
  const [name, setName] = useState<Translated>(layer.nameTranslations ?? {})
  const [pattern, setPattern] = useState<LayerPattern>(layer.pattern)
  const save = useMutation({
    mutationFn: () =>
      api.update('map-layers', layer.id, { attributes: { nameTranslations: name, pattern } }, { lockVersion: layer.meta.lockVersion }),
    onSuccess: async () => {
      onDone()
      await forgetContributions(queryClient)
    },
  })
  const { messageOf } = useEditorTexts(save.error)
  return (
    <div className="admin-form">
      <NameFields name={name} onChange={setName} error={save.error} />
      <SelectInput
        name="pattern"
        label={t('layers.pattern')}
        value={pattern}
        onChange={setPattern}
        error={messageOf('pattern')}
        options={LAYER_PATTERNS.filter((value) => !taken.includes(value)).map((value) => ({ value, label: t(`layers.patterns.${value}`) }))}
      />
      <span className="row">
        <LayerSample pattern={pattern} parts={LAYER_PARTS} />
        <Button size="small" pending={save.isPending} onClick={() => save.mutate()}>
          {t('common.save')}
        </Button>
        <Button kind="plain" size="small" onClick={onDone}>
          {t('common.cancel')}
        </Button>
      </span>
    </div>
  )
}

interface NameFieldsProps {
  name: Translated
  onChange: (name: Translated) => void
  error: unknown
}

function NameFields({ name, onChange, error }: NameFieldsProps) {
  const { t } = useTranslation('contributions-admin')
  const site = useSite()
  const words = useEditorTexts(error)
  return (
    <TranslatedTexts
      languages={site.contentLanguages}
      source={site.locale}
      fields={[{ name: 'nameTranslations', label: t('layers.name') }]}
      values={{ nameTranslations: name }}
      onChange={(_, text) => onChange(text)}
      messageOf={words.messageOf}
      words={words.texts}
    />
  )
}

const isGrid = (code: string): code is MapGrid => (MAP_GRIDS as readonly string[]).includes(code)

/** The file is sent once: if it is in a grid, the same upload is sent again to be converted. */
function AddLayer({ activity }: { activity: string }) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const site = useSite()
  const queryClient = useQueryClient()
  const [name, setName] = useState<Translated>({})
  const [chosen, setChosen] = useState<{ file: File; upload?: string }>()
  const add = useMutation({
    mutationFn: async ({ file, convertFrom }: { file: { file: File; upload?: string }; convertFrom?: MapGrid }) => {
      const upload = file.upload ?? (await sendFile(file.file, () => undefined, new AbortController().signal))
      setChosen({ ...file, upload })
      const named = hasText(name) ? name : { [site.locale]: file.file.name.replace(/\.\w{1,7}$/, '').slice(0, 80) }
      await api.create('map-layers', {
        attributes: { nameTranslations: named, upload, ...(convertFrom && { convertFrom }) },
        relationships: { activity: { type: 'activities', id: activity } },
      })
    },
    onSuccess: async () => {
      setName({})
      setChosen(undefined)
      await forgetContributions(queryClient)
    },
  })
  const { faults } = useEditorTexts(add.error)
  const grid = isAppError(add.error) ? add.error.faults.map(({ code }) => code).find(isGrid) : undefined
  const isTooLarge = chosen !== undefined && chosen.file.size > MAX_LAYER_BYTES
  return (
    <section className="admin-form" aria-labelledby="add-layer">
      <h3 id="add-layer">{t('layers.add')}</h3>
      <NameFields name={name} onChange={setName} error={add.error} />
      {isTooLarge && <Notice kind="error" title={t('layers.too-large', { size: format.bytes(MAX_LAYER_BYTES) })} />}
      {faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message}>
          {grid && t('layers.convert-text')}
        </Notice>
      ))}
      <div className="row">
        {grid && chosen && (
          <Button pending={add.isPending} onClick={() => add.mutate({ file: chosen, convertFrom: grid })}>
            {t('layers.convert')}
          </Button>
        )}
        <FileButton
          label={t(add.isPending ? 'layers.sending' : 'layers.choose')}
          accept={['.geojson', '.json', 'application/geo+json']}
          onFiles={([file]) => {
            add.reset()
            if (!file) return
            setChosen({ file })
            if (file.size <= MAX_LAYER_BYTES) add.mutate({ file: { file } })
          }}
        />
      </div>
    </section>
  )
}
