import { useTranslation } from 'react-i18next'
import { buildPictureAttributes } from '#app/lib/picture-address.ts'
import { useFormat } from '#app/shell/use-format.ts'

interface FocalPointProps {
  shown: string
  alt: string
  value: { x: number; y: number }
  onChange: (value: { x: number; y: number }) => void
  disabled: boolean
}

/** Focal point kept in view when the picture is cropped: set by clicking the picture, or by two sliders with the keyboard. */
export function FocalPoint({ shown, alt, value, onChange, disabled }: FocalPointProps) {
  const { t } = useTranslation('media')
  const format = useFormat()
  const setAxis = (axis: 'x' | 'y', per: number) => onChange({ ...value, [axis]: Math.min(100, Math.max(0, Math.round(per))) })
  return (
    <fieldset className="focal-point" disabled={disabled}>
      <legend>{t('focal')}</legend>
      <p className="field-hint">{t('focal-hint')}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- the sliders below are its keyboard */}
      <div
        className="focal-point-picture"
        onClick={(event) => {
          if (disabled) return
          const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
          onChange({
            x: Math.round(((event.clientX - left) / width) * 100),
            y: Math.round(((event.clientY - top) / height) * 100),
          })
        }}
      >
        <img {...buildPictureAttributes(shown)} sizes="(min-width: 60rem) 40rem, 100vw" alt={alt} />
        <span className="focal-point-mark" style={{ left: `${value.x}%`, top: `${value.y}%` }} aria-hidden="true" />
      </div>
      {(['x', 'y'] as const).map((axis) => (
        <label key={axis} className="focal-point-slider">
          <span>{t(`from-${axis}`)}</span>
          <input
            type="range"
            min={0}
            max={100}
            value={value[axis]}
            onChange={(event) => setAxis(axis, Number(event.currentTarget.value))}
          />
          <output>{format.percent(value[axis] / 100)}</output>
        </label>
      ))}
    </fieldset>
  )
}
