import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { MAX_GEOMETRY_POINTS } from '#app/lib/geometry.ts'
import type { Translated } from '#app/lib/translated.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { invalidateAreas } from '../areas.queries.ts'
import type { Outline } from '../outlines.ts'
import type { Point } from '../polygons.schema.ts'
import { AreaDrawing } from './AreaDrawing.tsx'

interface AreaEditorProps {
  /** Undefined for a new one. */
  area: Resource<'area-outlines'> | undefined
  onDone: (isSaved: boolean) => void
}

/** An area's names, code and outline, to be drawn or changed on the map. */
export function AreaEditor({ area, onDone }: AreaEditorProps) {
  const { t } = useTranslation('areas-admin')
  const { t: editor } = useTranslation('editor')
  const site = useSite()
  const queryClient = useQueryClient()
  const [name, setName] = useState<Translated>(area?.nameTranslations ?? {})
  const [key, setKey] = useState(area?.key ?? '')
  /** Undefined: the outline stays as it is. */
  const [corners, setCorners] = useState<readonly Point[] | undefined>(() => (area ? listCorners(area.outline) : []))
  const [isTouched, setTouched] = useState(false)
  const touch = () => setTouched(true)
  const save = useMutation({
    mutationFn: async () => {
      const outline = corners && { outline: { type: 'Polygon' as const, coordinates: [closeRing(corners)] } }
      const attributes = { nameTranslations: name, key }
      if (area)
        await api.update('area-outlines', area.id, { attributes: { ...attributes, ...outline } }, { lockVersion: area.meta.lockVersion })
      else await api.create('area-outlines', { attributes: { ...attributes, outline: { type: 'Polygon', coordinates: [] }, ...outline } })
    },
    onSuccess: async () => {
      await invalidateAreas(queryClient)
      onDone(true)
    },
  })
  const heading = useRef<HTMLHeadingElement>(null)
  // It opens below a list that may be long.
  useEffect(() => heading.current?.focus(), [])
  const isUnsaved = isTouched && !save.isSuccess
  useBlocker({
    shouldBlockFn: () => !window.confirm(editor('leave')),
    enableBeforeUnload: isUnsaved,
    disabled: !isUnsaved,
  })
  const { messageOf, faults, stale, texts } = useEditorTexts(save.error)
  const shown = faults.filter(({ message }) => message !== messageOf('nameTranslations') && message !== messageOf('key'))
  return (
    <section className="admin-panel" aria-labelledby="edit-area">
      <h2 id="edit-area" ref={heading} tabIndex={-1}>
        {area ? t('draw.change-title', { name: area.name }) : t('draw.title')}
      </h2>
      <div className="admin-form">
        <TranslatedTexts
          languages={site.contentLanguages}
          source={site.locale}
          fields={[{ name: 'nameTranslations', label: t('draw.area') }]}
          values={{ nameTranslations: name }}
          onChange={(_, text) => {
            setName(text)
            touch()
          }}
          messageOf={messageOf}
          words={texts}
        />
        <TextInput
          name="key"
          label={t('key')}
          hint={t('key-hint')}
          value={key}
          onChange={(next) => {
            setKey(next)
            touch()
          }}
          error={messageOf('key')}
        />
      </div>
      {corners ? (
        <AreaDrawing
          corners={corners}
          isComplete={area !== undefined}
          onChange={(next) => {
            setCorners(next)
            touch()
          }}
        />
      ) : (
        <>
          <p>{t('draw.detailed')}</p>
          <span className="row">
            <Button kind="secondary" size="small" onClick={() => setCorners([])}>
              {t('draw.anew')}
            </Button>
          </span>
        </>
      )}
      {stale ? (
        <Notice kind="error" title={t('draw.stale')}>
          {t('draw.stale-text')}
        </Notice>
      ) : (
        shown.map(({ message }) => <Notice key={message} kind="error" title={message} />)
      )}
      <span className="row">
        <Button pending={save.isPending} onClick={() => save.mutate()}>
          {t('draw.save')}
        </Button>
        <Button
          kind="plain"
          onClick={() => {
            if (stale) void invalidateAreas(queryClient)
            onDone(false)
          }}
        >
          {t('draw.cancel')}
        </Button>
      </span>
    </section>
  )
}

/** Of an outline that can be changed corner by corner. */
function listCorners({ type, coordinates }: Outline): readonly Point[] | undefined {
  const [ring, ...more] = type === 'Polygon' ? coordinates : []
  const corners = ring?.slice(0, -1)
  return corners && more.length === 0 && corners.length <= MAX_GEOMETRY_POINTS ? corners : undefined
}

const closeRing = (corners: readonly Point[]): [number, number][] =>
  [...corners, ...corners.slice(0, 1)].map(([lng, lat]): [number, number] => [lng, lat])
