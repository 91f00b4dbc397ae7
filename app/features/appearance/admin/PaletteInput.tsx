import { useDeferredValue, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { isHex } from '#app/lib/color.ts'
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
          <div className="palette-color" key={name}>
            <label htmlFor={`color-${name}`}>{t(`look.color.${name}`)}</label>
            <input
              id={`color-${name}`}
              type="color"
              value={tokens[name]}
              onChange={({ currentTarget: { value } }) => isHex(value) && onChange({ [name]: value })}
            />
            <output htmlFor={`color-${name}`}>{tokens[name]}</output>
          </div>
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
