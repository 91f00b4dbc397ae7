import type { ReactNode } from 'react'
import { CheckInput } from './inputs.tsx'

interface MissingTextsProps<Text extends { name: string; label: string }> {
  title: string
  hint: string
  /** Label of the box that waives them all. */
  waiveAllLabel: string
  missing: readonly Text[]
  /** Names of those to publish without. */
  waived: readonly string[]
  onChange: (waived: readonly string[]) => void
  /** Leads to where it is written. */
  renderLink?: (text: Text) => ReactNode
}

/** Texts that would be missing from what is about to be published, each to be waived by name, or all together. */
export function MissingTexts<Text extends { name: string; label: string }>({
  title,
  hint,
  waiveAllLabel,
  missing,
  waived,
  onChange,
  renderLink,
}: MissingTextsProps<Text>) {
  return (
    <fieldset className="editor-group">
      <legend>{title}</legend>
      <p>{hint}</p>
      {missing.length > 1 && (
        <CheckInput
          name="waive-all"
          label={waiveAllLabel}
          value={missing.every(({ name }) => waived.includes(name))}
          onChange={(on) => onChange(on ? missing.map(({ name }) => name) : [])}
        />
      )}
      <ul className="missing-texts">
        {missing.map((text) => (
          <li key={text.name}>
            <CheckInput
              name={`waive.${text.name}`}
              label={text.label}
              value={waived.includes(text.name)}
              onChange={(on) => onChange(on ? [...waived, text.name] : waived.filter((one) => one !== text.name))}
            />
            {renderLink?.(text)}
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
