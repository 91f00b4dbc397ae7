import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAppError } from '#app/lib/app-error.ts'
import { buildShownAddress } from '#app/lib/picture-address.ts'
import { PICTURE_TYPES } from '#app/lib/vocabulary/media.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { FileButton } from '#app/ui/admin/file-button.tsx'
import { ContentForm } from '#app/ui/admin/content-form.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { useEditedFields } from '#app/ui/admin/use-edited-fields.ts'
import { Button } from '#app/ui/button.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { invalidatePictures, pictureQuery } from '../media.queries.ts'
import { FocalPoint } from './FocalPoint.tsx'
import { PlaceList } from './PlaceList.tsx'
import { sendFile } from '../media.resumable-upload.queries.ts'

/** Edits one picture: alternative text, focal point, where it is used, replacement and removal. */
export function PictureEditor({ id }: { id: string }) {
  const { t } = useTranslation('media')
  const { t: admin } = useTranslation('admin')
  const { contentLanguages: languages, locale } = useSite()
  const format = useFormat()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: picture } = useSuspenseQuery(pictureQuery(id)).data
  const [removing, setRemoving] = useState(false)
  const [arrived, setArrived] = useState(0)
  const may = picture.meta.can
  const { fields, changed, values, change, reset } = useEditedFields({
    name: picture.name,
    altTranslations: picture.altTranslations ?? {},
    focalPoint: picture.focalPoint,
  })
  const savePicture = async (attributes: typeof values & { upload?: string }) => {
    const saved = await api.update('media-assets', id, { attributes }, { lockVersion: picture.meta.lockVersion })
    queryClient.setQueryData(pictureQuery(id).queryKey, saved)
  }
  const save = useMutation({
    mutationFn: (sent: typeof values) => savePicture(sent),
    onSuccess: (_, sent) => reset(sent),
    onSettled: () => invalidatePictures(queryClient),
  })
  const replace = useMutation({
    mutationFn: async (file: File) =>
      savePicture({ upload: await sendFile(file, (received) => setArrived(received / file.size), new AbortController().signal) }),
    onSuccess: () => showToast({ text: t('replaced') }),
    onSettled: () => invalidatePictures(queryClient),
  })
  const remove = useMutation({
    mutationFn: () => api.remove('media-assets', id),
    onSuccess: async () => {
      await navigate({ to: '/admin/media' })
      await invalidatePictures(queryClient)
    },
    onError: async (error) => {
      if (!isAppError(error, 'in-use')) return
      await queryClient.invalidateQueries({ queryKey: pictureQuery(id).queryKey })
    },
  })
  const words = useEditorTexts(save.error ?? replace.error ?? remove.error)
  const places = picture.places ?? []
  return (
    <>
      <PageHeader
        title={picture.name}
        actions={
          may.update && (
            <>
              <FileButton
                accept={PICTURE_TYPES}
                label={replace.isPending ? t('replacing', { share: format.percent(arrived) }) : t('replace')}
                onFiles={([file]) => file && !replace.isPending && replace.mutate(file)}
              />
              <Button kind="secondary" onClick={() => setRemoving(true)}>
                {t('remove')}
              </Button>
            </>
          )
        }
      />
      <ContentForm
        unsaved={changed.length}
        saving={save.isPending}
        faults={words.faults}
        stale={words.stale}
        onSave={() => save.mutate(values)}
        words={words.form}
      >
        <div className="picture-editor">
          <FocalPoint
            shown={buildShownAddress({ ...picture, focalX: fields.focalPoint.x, focalY: fields.focalPoint.y })}
            alt={picture.alt}
            value={fields.focalPoint}
            onChange={(focalPoint) => change({ focalPoint })}
            disabled={!may.update}
          />
          <div className="admin-stack">
            {may.update && (
              <>
                <TranslatedTexts
                  languages={languages}
                  source={locale}
                  fields={[{ name: 'altTranslations', label: t('alt'), hint: t('alt-hint'), rows: 3 }]}
                  values={fields}
                  onChange={(name, text) => change({ [name]: text })}
                  messageOf={words.messageOf}
                  words={words.texts}
                />
                <TextInput
                  name="name"
                  label={t('name')}
                  value={fields.name}
                  onChange={(name) => change({ name })}
                  error={words.messageOf('name')}
                  maxLength={200}
                />
              </>
            )}
            <section className="admin-panel">
              <h2>{t('where')}</h2>
              <PlaceList places={places} />
            </section>
            <DefinitionList
              items={[
                {
                  term: t('file'),
                  value: t('size', {
                    width: format.number(picture.width),
                    height: format.number(picture.height),
                    bytes: format.bytes(picture.bytes),
                  }),
                },
                { term: t('uploaded'), value: format.dateTime(picture.createdAt) },
              ]}
            />
          </div>
        </div>
      </ContentForm>
      {removing && places.length > 0 && (
        <ConfirmDialog
          title={t('cannot-remove')}
          isOpen
          onClose={() => setRemoving(false)}
          onConfirm={() => setRemoving(false)}
          confirmLabel={t('understood')}
          cancelLabel={admin('confirm.cancel')}
        >
          <p>{t('cannot-remove-text')}</p>
          <PlaceList places={places} />
        </ConfirmDialog>
      )}
      {removing && places.length === 0 && (
        <ConfirmDialog
          title={t('remove-title', { name: picture.name })}
          isOpen
          danger
          onClose={() => setRemoving(false)}
          onConfirm={() => remove.mutateAsync().then(undefined, () => setRemoving(false))}
          confirmLabel={t('remove')}
          cancelLabel={admin('confirm.cancel')}
        >
          <p>{t('remove-text')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
