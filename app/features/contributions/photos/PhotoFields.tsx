import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Field } from '#app/ui/field.tsx'
import { FileChooser } from '#app/ui/file-chooser.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { Photo } from './Photos.tsx'
import { buildPhotoField, type KeptPhotoView, listPhotoSlots, MAX_PHOTO_MEGABYTES, PHOTO_TYPES } from '../record/photos.schema.ts'

interface PhotoFieldsProps {
  /** How many photos there may be. */
  count: number
  /** Those the form has brought already. */
  kept: readonly KeptPhotoView[]
  typed: (field: string) => string | undefined
  error: (field: string) => string | undefined
}

/** Photos with what they show. They are sent with the form; one that was kept is shown with a box to leave it out. */
export function PhotoFields({ count, kept, typed, error }: PhotoFieldsProps) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  return (
    <fieldset className="photo-fields" aria-describedby="photos-hint">
      <legend>
        {t('photos.legend')} <span className="field-optional">{t('write.optional')}</span>
      </legend>
      <p className="field-hint" id="photos-hint">
        {t('photos.hint', { count, number: format.number(count), size: format.bytes(MAX_PHOTO_MEGABYTES * 1_000_000) })}
      </p>
      <p className="field-hint">{t('photos.rights')}</p>
      {listPhotoSlots(count).map((slot) => {
        const photo = kept.find((each) => each.slot === slot)
        const number = format.number(slot)
        const name = buildPhotoField('file', slot)
        const file = { name, label: t('photos.file', { number }), error: error(name) }
        return (
          <div className="photo-slot" key={slot}>
            {photo ? (
              <div className="photo-kept">
                <Photo photo={photo} />
                <label className="option">
                  <input type="checkbox" name={buildPhotoField('kept', slot)} value={photo.id} defaultChecked />
                  <span className="option-label">{t('photos.keep', { number })}</span>
                </label>
              </div>
            ) : (
              <Field field={file}>
                <FileChooser field={file} button={t('photos.choose')} accept={PHOTO_TYPES.join(',')} />
              </Field>
            )}
            <TextField
              name={buildPhotoField('alt', slot)}
              label={t('photos.alt', { number })}
              hint={slot === 1 ? t('photos.alt-hint') : undefined}
              defaultValue={typed(buildPhotoField('alt', slot))}
              error={error(buildPhotoField('alt', slot))}
            />
          </div>
        )
      })}
    </fieldset>
  )
}
