import { useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Hex, isHex, parseColor } from '#app/lib/color.ts'
import { type ContrastFault, findContrastFaults, type Palette } from '#app/lib/contrast.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { findColorAtFault, findNearestPalette } from '../nearest-palette.ts'

const COLORS = ['primary', 'accent', 'paper', 'ink'] as const

interface PaletteInputProps {
  tokens: Palette
  onChange: (colors: Partial<Palette>) => void
}

/** The four base colours of the palette, and their contrast failures. */
export function PaletteInput({ tokens, onChange }: PaletteInputProps) {
  const { t } = useTranslation('editor')
  const format = useFormat()
  // Update the preview first; the contrast check can lag behind.
  const judged = useDeferredValue(tokens)
  const { faults, nearest } = useMemo(() => checkPalette(judged), [judged])
  return (
    <>
      <fieldset className="editor-group palette">
        <legend>{t('look.colors')}</legend>
        {COLORS.map((name) => (
          <ColorInput
            key={name}
            id={`color-${name}`}
            label={t(`look.color.${name}`)}
            color={tokens[name]}
            onChange={(color) => onChange({ [name]: color })}
          />
        ))}
      </fieldset>
      {faults.length > 0 && (
        <Notice kind="error" title={t('look.faults', { count: faults.length })}>
          <ul>
            {findWorstFaults(faults).map((fault) => (
              <li key={`${fault.scheme} ${findColorAtFault(fault)}`}>
                {t('look.fault', {
                  color: t(`look.color.${findColorAtFault(fault)}`),
                  scheme: t(`preview.${fault.scheme}`),
                  ratio: format.number(Math.floor(fault.ratio * 100) / 100),
                  needed: format.number(fault.needed),
                })}
              </li>
            ))}
          </ul>
          {nearest && (
            <Button size="small" type="button" onClick={() => onChange(nearest)}>
              {t('look.use-nearest')}
            </Button>
          )}
        </Notice>
      )}
    </>
  )
}

interface ColorInputProps {
  id: string
  label: string
  color: Hex
  onChange: (color: Hex) => void
}

/** A colour, chosen in the browser's picker or given as a hex code. */
function ColorInput({ id, label, color, onChange }: ColorInputProps) {
  const { t } = useTranslation('editor')
  // What was typed stays until it is a colour.
  const [typed, setTyped] = useState<string>()
  const [isLeft, setLeft] = useState(false)
  const isFaulty = typed !== undefined && isLeft
  const typeCode = (text: string) => {
    setTyped(text)
    setLeft(false)
    const parsed = parseColor(text)
    if (parsed) onChange(parsed)
  }
  return (
    <div className="palette-color">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="color"
        value={color}
        onChange={({ currentTarget: { value } }) => {
          setTyped(undefined)
          if (isHex(value)) onChange(value)
        }}
      />
      <input
        id={`${id}-code`}
        className="input"
        type="text"
        aria-label={t('look.color-code', { color: label })}
        aria-invalid={isFaulty || undefined}
        aria-describedby={isFaulty ? `${id}-fault` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={typed ?? color}
        onChange={({ currentTarget: { value } }) => typeCode(value)}
        onBlur={() => {
          if (typed !== undefined && parseColor(typed)) setTyped(undefined)
          setLeft(true)
        }}
      />
      {isFaulty && (
        <p className="field-error" id={`${id}-fault`}>
          {t('look.color-fault')}
        </p>
      )}
    </div>
  )
}

function checkPalette({ primary, accent, paper, ink }: Palette) {
  const palette = { primary, accent, paper, ink }
  const faults = findContrastFaults(palette)
  return { faults, nearest: faults.length ? findNearestPalette(palette) : undefined }
}

/** The worst pair for each colour and scheme. One line each is enough. */
function findWorstFaults(faults: readonly ContrastFault[]): ContrastFault[] {
  const found = new Map<string, ContrastFault>()
  for (const fault of faults) {
    const key = `${fault.scheme} ${findColorAtFault(fault)}`
    const known = found.get(key)
    if (!known || fault.ratio / fault.needed < known.ratio / known.needed) found.set(key, fault)
  }
  return [...found.values()]
}
