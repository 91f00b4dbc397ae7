import { useTranslation } from 'react-i18next'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { AnyField } from '../block-fields.ts'
import { BLOCKS, type HomeBlock } from '../homepage.schema.ts'
import { FieldInput } from './FieldInput.tsx'

interface BlockFormProps {
  block: HomeBlock
  language: ContentLanguage
  /** `place` identifies the field, so that typing in it is a single undo step. */
  onChange: (block: HomeBlock, place: string) => void
  errorOf: (name: string) => string | undefined
}

const FORM_ID = 'block-form'

/** Brings the form of the block that was just opened into view, and moves focus to it. */
export function focusBlockForm(): void {
  requestAnimationFrame(() => {
    const form = document.getElementById(FORM_ID)
    form?.scrollIntoView({ block: 'nearest' })
    form?.focus({ preventScroll: true })
  })
}

/** The form for a block, generated from its declared fields. */
export function BlockForm({ block, language, onChange, errorOf }: BlockFormProps) {
  const { t } = useTranslation('editor')
  const fields = Object.entries(BLOCKS[block.type].fields as Record<string, AnyField>)
  const shown = block.type === 'project_grid' && block.filter !== 'chosen' ? fields.filter(([name]) => name !== 'projectIds') : fields
  return (
    <fieldset className="block-form" id={FORM_ID} tabIndex={-1} aria-label={t(`blocks.${block.type}.name`)}>
      <p className="block-form-hint">{t(`blocks.${block.type}.hint`)}</p>
      {shown.map(([name, field]) => (
        <FieldInput
          key={name}
          type={block.type}
          field={name}
          name={`${block.id}.${name}`}
          declared={field}
          value={(block as unknown as Record<string, unknown>)[name]}
          language={language}
          onChange={(value) => onChange({ ...block, [name]: value }, `${block.id}.${name}`)}
          errorOf={errorOf}
        />
      ))}
    </fieldset>
  )
}
