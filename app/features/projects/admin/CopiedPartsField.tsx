import { useTranslation } from 'react-i18next'
import { COPIED_PARTS, type CopiedPart } from '#app/lib/vocabulary/projects.ts'
import { CheckInput } from '#app/ui/admin/inputs.tsx'

interface CopiedPartsFieldProps {
  parts: readonly CopiedPart[]
  onChange: (parts: CopiedPart[]) => void
}

/** What of a project its duplicate brings along. */
export function CopiedPartsField({ parts, onChange }: CopiedPartsFieldProps) {
  const { t } = useTranslation('admin')
  return (
    <fieldset className="field">
      <legend className="field-label">{t('confirm.copy.parts')}</legend>
      {COPIED_PARTS.map((part) => (
        <CheckInput
          key={part}
          name={`copy-${part}`}
          label={t(`confirm.copy.part.${part}`)}
          value={parts.includes(part)}
          onChange={(on) => onChange(COPIED_PARTS.filter((one) => (one === part ? on : parts.includes(one))))}
        />
      ))}
    </fieldset>
  )
}
