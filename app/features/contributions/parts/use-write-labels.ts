import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import type { ActivityView } from '../record/contributions.schema.ts'
import { buildFieldName } from '../record/fields.schema.ts'
import { buildPhotoField, listPhotoSlots } from '../record/photos.schema.ts'

/** Labels of the fields with which a contribution is written or changed, in the form's order. */
export function useWriteLabels({ kind, fields, tools }: ActivityView): Record<string, string> {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  return {
    title: t(`kinds.${kind}.title`),
    body: t(`kinds.${kind}.body`),
    categories: t('write.categories'),
    geometry: t('write.place'),
    coordinates: t('write.place'),
    find: t('places.find'),
    areaId: t('write.area'),
    placeText: t(tools.places ? 'places.words' : 'write.place'),
    ...Object.fromEntries(fields.map(({ id, title }) => [buildFieldName(id), title.text])),
    ...Object.fromEntries(
      listPhotoSlots(tools.photos ?? 0).flatMap((slot) => [
        [buildPhotoField('file', slot), t('photos.file', { number: format.number(slot) })],
        [buildPhotoField('alt', slot), t('photos.alt', { number: format.number(slot) })],
      ]),
    ),
    shownAs: t('write.shown'),
    shownName: t('write.shown-name'),
  }
}
